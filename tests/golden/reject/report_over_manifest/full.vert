#version 460
layout(set = 0, binding = 0) uniform Offset { vec4 offset; } where;
void main() { gl_Position = where.offset; }
