// SPDX-License-Identifier: MIT
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_GOOGLE_include_directive : require
#include "record.glsl"
#include "seen.glsl"

layout(location = 0) rayPayloadInEXT Seen seen;

void main() {
  seen.last = read_record();
}
