#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Block { vec4 values[4]; } block;
layout(set = 0, binding = 1) buffer Result { vec4 value; } result;
void main() { result.value = block.values[1] + block.values[3]; }
