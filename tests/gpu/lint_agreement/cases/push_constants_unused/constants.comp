#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(push_constant) uniform Constants { vec4 values[32]; } constants;
layout(set = 0, binding = 0) buffer Result { vec4 value; } result;
void main() { result.value = vec4(1); }
