#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(set = 0, binding = 0) uniform texture2D images[8];
layout(set = 0, binding = 1) uniform sampler filtering;
layout(set = 0, binding = 2) buffer Result { vec4 value; int16_t small; } result;
void main() {
  const uint picked = gl_GlobalInvocationID.x & 7;
  result.value = textureLod(sampler2D(images[nonuniformEXT(picked)], filtering), vec2(0), 0);
}
