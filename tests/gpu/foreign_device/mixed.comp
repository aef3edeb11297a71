// SPDX-License-Identifier: MIT
#version 450

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform Block {
  uvec4 value;
} block;

layout(set = 0, binding = 1) writeonly buffer Output {
  uint number;
} result;

layout(set = 0, binding = 2) uniform sampler2D image;

void main() {
  result.number = block.value.x + uint(textureLod(image, vec2(0.5), 0.0).x);
}
