#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_ray_query : require

layout(constant_id = 3) const uint length_ = 4;
layout(push_constant) uniform Push { layout(offset = 8) uint which; } push;

layout(set = 0, binding = 0) uniform sampler plain;
layout(set = 0, binding = 1) uniform texture2D sampled[length_];
layout(set = 0, binding = 2) uniform sampler2DShadow shadow;
layout(set = 0, binding = 3, r32ui) uniform uimage2D counted;
layout(set = 0, binding = 4) uniform textureBuffer uniformTexels;
layout(set = 0, binding = 5, rgba16f) uniform writeonly imageBuffer storageTexels;
layout(set = 0, binding = 6) uniform Block { vec4 first; mat3 second; } block;
layout(set = 0, binding = 7) readonly buffer List { uint size; vec4 items[]; } lists[];
layout(input_attachment_index = 1, set = 0, binding = 8) uniform subpassInput before;
layout(set = 0, binding = 9) uniform accelerationStructureEXT scene;

layout(location = 0) flat in uint pick;
layout(location = 0) out vec4 colour;

void main() {
  colour = texture(sampler2D(sampled[push.which], plain), vec2(0.5)) + block.first;
  colour += texture(shadow, vec3(0.5)) + subpassLoad(before) + texelFetch(uniformTexels, 0);
  colour += lists[nonuniformEXT(pick)].items[lists[0].items.length() - 1];
  imageAtomicAdd(counted, ivec2(0), 1u);
  imageStore(storageTexels, 0, colour);
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, 0u, 0xFFu, vec3(0.0), 0.0, vec3(1.0), 1.0);
  colour.x += rayQueryProceedEXT(query) ? 1.0 : 0.0;
}
