#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 0) uniform sampler filtering;
layout(set = 0, binding = 1) buffer Result { vec4 value; } result;
void main() { result.value = textureLod(sampler2D(image, filtering), vec2(0), 0); }
