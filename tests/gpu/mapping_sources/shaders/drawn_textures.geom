// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "textures.glsl"

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

void main() {
  read_textures(3);
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    EmitVertex();
  }
}
