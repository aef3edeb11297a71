// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "results.glsl"

layout(local_size_x = 1) in;

layout(set = 1, binding = 0) uniform sampler2D bordered[2];
layout(set = 1, binding = 1) uniform sampler2D white;
layout(set = 1, binding = 2) uniform sampler2D least;
layout(set = 1, binding = 3) uniform sampler2D most;
layout(set = 1, binding = 4) uniform sampler2D video;
layout(set = 1, binding = 5) uniform sampler2D mean;

void main() {
  const vec2 outside = vec2(-1, 0.5);
  const vec2 middle = vec2(0.5);
  results.words[0] = uint(textureLod(bordered[0], outside, 0).x);
  results.words[1] = uint(textureLod(bordered[1], outside, 0).x);
  results.words[2] = uint(textureLod(white, outside, 0).x);
  results.words[3] = uint(textureLod(least, middle, 0).x);
  results.words[4] = uint(textureLod(most, middle, 0).x);
  results.words[5] = uint(textureLod(mean, middle, 0).x);
  const ivec4 converted = ivec4(round(textureLod(video, middle, 0) * 255));
  results.words[6] = uint(converted.r);
  results.words[7] = uint(converted.g);
  results.words[8] = uint(converted.b);
}
