#version 460
// SPDX-License-Identifier: MIT
layout(set = 0, binding = 0) uniform Camera { mat4 matrix; } camera;
void main() { gl_Position = camera.matrix[gl_VertexIndex & 3]; }
