// SPDX-License-Identifier: MIT
#include "results.glsl"

layout(set = 0, binding = 0) uniform Block {
  uvec4 payload;
} blocks[2];

void read_elements() {
  results.numbers[0] = blocks[0].payload.x;
  results.numbers[1] = blocks[1].payload.w;
}
