#version 460
layout(set = 0, binding = 1) uniform A { vec4 color; } a;
layout(location = 0) out vec4 color;
void main() { color = a.color; }
