#version 460

layout(set = 0, binding = 0) uniform Frame { vec4 time; } frame;

void main() { gl_Position = frame.time; }
