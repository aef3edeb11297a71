// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "results.glsl"

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform Block {
  uvec4 payload[2];
} block;

void main() {
  results.numbers[0] = block.payload[0].x;
  results.numbers[1] = block.payload[1].w;
}
