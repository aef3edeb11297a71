// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "results.glsl"

layout(local_size_x = 1) in;

layout(push_constant) uniform Push {
  layout(offset = 16) uint slot;
} push;

layout(set = 0, binding = 0) uniform Block {
  uvec4 payload;
} block;

void main() {
  results.numbers[push.slot] = block.payload.x;
}
