#version 460

layout(set = 1, binding = 0) uniform Waves { vec4 waves; };
layout(location = 0) out vec4 colour;

void main() { colour = waves; }
