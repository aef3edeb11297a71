out/top.frag.spv \
  out/manifest.json: \
  top.frag \
  include/tint.glsl \
  policy.json
