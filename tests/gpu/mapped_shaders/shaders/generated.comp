// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "results.glsl"

layout(local_size_x = 1) in;

layout(push_constant) uniform Push {
  uint slot;
} push;

layout(set = 2, binding = 0) uniform Material {
  uint number;
} material;

layout(set = 2, binding = 1) uniform Model {
  uint number;
} model;

layout(set = 2, binding = 2) uniform Draw {
  uvec4 numbers;
} draw;

void main() {
  results.words[push.slot * 3] = material.number;
  results.words[push.slot * 3 + 1] = model.number;
  results.words[push.slot * 3 + 2] = draw.numbers.y;
}
