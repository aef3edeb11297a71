#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 4294967, binding = 70000) uniform Far { vec4 value; } far;
layout(set = 0, binding = 0) buffer Result { vec4 value; } result;
void main() { result.value = far.value; }
