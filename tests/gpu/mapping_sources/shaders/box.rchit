// SPDX-License-Identifier: MIT
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_GOOGLE_include_directive : require
#include "seen.glsl"

layout(location = 0) rayPayloadInEXT Seen seen;
hitAttributeEXT uvec4 found;

void main() {
  seen.last = found;
}
