#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D video;
layout(set = 0, binding = 1) uniform sampler apart;
layout(set = 0, binding = 2) uniform texture2D image;
layout(set = 0, binding = 3) buffer Result { vec4 value; } result;
void main() {
  result.value = textureLod(video, vec2(0), 0) + textureLod(sampler2D(image, apart), vec2(0), 0);
}
