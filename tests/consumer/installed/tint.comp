// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "tint.glsl"
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Tint { vec4 colour; } tint;
layout(set = 0, binding = 1) buffer Pixels { vec4 pixels[]; } target;
void main() { target.pixels[gl_GlobalInvocationID.x] = tinted(tint.colour); }
