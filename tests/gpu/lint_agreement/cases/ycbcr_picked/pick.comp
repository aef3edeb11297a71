#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D videos[2];
layout(set = 0, binding = 1) buffer Result { vec4 value; } result;
void main() { result.value = textureLod(videos[gl_WorkGroupID.x & 1], vec2(0), 0); }
