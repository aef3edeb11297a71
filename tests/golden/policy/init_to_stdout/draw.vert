#version 460
layout(set = 0, binding = 0) uniform Camera { mat4 matrix; } camera;
void main() { gl_Position = camera.matrix[0]; }
