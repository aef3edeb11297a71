#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(push_constant) uniform Constants { layout(offset = 16) vec4 values[16]; } constants;
layout(set = 0, binding = 0) buffer Result { vec4 value; } result;
void main() { result.value = constants.values[15]; }
