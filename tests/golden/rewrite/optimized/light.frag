#version 460
layout(set = 0, binding = 0) uniform Light { vec4 color; } light;
layout(set = 0, binding = 1) uniform sampler2D shadow;
layout(set = 0, binding = 2) uniform sampler2D albedo[2];
layout(location = 0) out vec4 color;
const bool kShadows = false;
vec4 sampled(sampler2D t) { return texture(t, vec2(0.5)); }
void main() {
  color = light.color * sampled(albedo[1]);
  if (kShadows) color *= sampled(shadow);
}
