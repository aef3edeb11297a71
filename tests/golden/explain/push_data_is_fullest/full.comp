#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform Block0 { mat4 value; } block0;
layout(set = 0, binding = 1) uniform Block1 { mat4 value; } block1;
layout(set = 0, binding = 2) uniform Block2 { mat4 value; } block2;
layout(set = 1, binding = 0) uniform texture2D image;
layout(set = 2, binding = 0) uniform sampler filtering;
layout(set = 2, binding = 1) buffer Result { vec4 value; } result;
layout(push_constant) uniform Constants { vec4 values[15]; vec2 last; } constants;
void main() {
  result.value = constants.values[14] + block0.value[0] + block1.value[0] + block2.value[0] +
                 texelFetch(image, ivec2(0), 0) + textureLod(sampler2D(image, filtering), vec2(0), 0);
}
