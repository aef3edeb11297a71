#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform Blocks { vec4 block; } blocks[2];
layout(set = 0, binding = 2) buffer Counted { vec4 counted[]; };
layout(set = 0, binding = 3) buffer Written { vec4 written; };
layout(set = 0, binding = 4) uniform Recorded { vec4 recorded; };
layout(set = 1, binding = 0) uniform Block { vec4 other; };
layout(set = 2, binding = 0) uniform sampler2D hit;
layout(set = 3, binding = 0) uniform texture2D many;
void main() {
  written = textureLod(image, vec2(0.5), 0.0) + blocks[1].block + recorded + other + textureLod(hit, vec2(0.5), 0.0);
  counted[counted.length() - 1] = texelFetch(many, ivec2(0), 0);
}
