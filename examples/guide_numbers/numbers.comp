// SPDX-License-Identifier: MIT
#version 450

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform Block {
  uvec4 value;
} blocks[2];

layout(set = 0, binding = 1) writeonly buffer Output {
  uint numbers[2];
} result;

void main() {
  result.numbers[0] = blocks[0].value.x;
  result.numbers[1] = blocks[1].value.x;
}
