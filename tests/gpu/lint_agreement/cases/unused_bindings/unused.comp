#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Used { vec4 value; } used;
layout(set = 0, binding = 1) uniform Unused { vec4 value; } unused;
layout(set = 0, binding = 2) buffer Result { vec4 value; } result;
vec4 never_called() { return unused.value; }
void main() { result.value = used.value; }
