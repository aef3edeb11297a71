#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require

layout(set = 0, binding = 0) uniform texture2D flat_[];
layout(set = 0, binding = 0) uniform textureCube cubes[];
layout(set = 0, binding = 0) uniform utexture2D whole[64];
layout(set = 0, binding = 1) uniform sampler plain[8];
layout(set = 0, binding = 1) uniform samplerShadow compare[8];
layout(set = 0, binding = 2, rgba8) uniform writeonly image2D canvases[4];
layout(location = 0) flat in uint pick;
layout(location = 0) out vec4 colour;

void main() {
  colour = texture(sampler2D(flat_[nonuniformEXT(pick)], plain[0]), vec2(0.5));
  colour += texture(samplerCube(cubes[nonuniformEXT(pick + 1)], plain[1]), vec3(0.5));
  colour += texelFetch(whole[9], ivec2(0), 0);
  colour += texture(sampler2DShadow(flat_[7], compare[2]), vec3(0.5));
  imageStore(canvases[pick & 3], ivec2(0), colour);
}
