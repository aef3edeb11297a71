#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint COUNT = 1;
layout(set = 0, binding = 0) uniform Block { vec4 value; } blocks[COUNT];
layout(set = 0, binding = 1) buffer Result { vec4 value; } result;
void main() { result.value = blocks[0].value; }
