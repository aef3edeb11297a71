#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Halves { float16_t factor; float16_t offsets[3]; } halves;
layout(set = 0, binding = 1) buffer Result { float values[]; } result;
void main() {
  uint i = gl_WorkGroupID.x;
  result.values[i] = float(halves.factor) + float(halves.offsets[i]);
}
