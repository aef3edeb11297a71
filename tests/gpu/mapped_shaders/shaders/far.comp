// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "results.glsl"

layout(local_size_x = 1) in;

layout(set = 3, binding = 3) uniform Star {
  uint number;
} star;

layout(set = 3, binding = 7) uniform Moon {
  uint number;
} moon;

layout(set = 4, binding = 0) uniform Part {
  uint number;
} parts[3];

void main() {
  results.words[0] = star.number;
  results.words[1] = moon.number;
  for (int i = 0; i < 3; ++i)
    results.words[2 + i] = parts[i].number;
}
