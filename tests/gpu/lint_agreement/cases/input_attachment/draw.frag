#version 460
// SPDX-License-Identifier: MIT
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput previous;
layout(set = 0, binding = 1) buffer Result { vec4 value; } result;
void main() { result.value = subpassLoad(previous); }
