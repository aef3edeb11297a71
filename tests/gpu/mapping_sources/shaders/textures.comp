// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "textures.glsl"

layout(local_size_x = 1) in;

void main() {
  read_textures(0);
}
