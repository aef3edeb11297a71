// SPDX-License-Identifier: MIT
#version 450

layout(location = 0) out vec2 clip;

// One triangle that covers everything.
void main() {
  clip = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
  gl_Position = vec4(clip, 1.0, 1.0);
}
