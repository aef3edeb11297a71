#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer Source { uint values[]; } source;
layout(set = 0, binding = 1) writeonly buffer Result { uint value; } result;
layout(set = 0, binding = 2) buffer Counters { uint values[]; } counters[2];
void main() { result.value = source.values[1] + source.values.length() + counters[1].values[0]; }
