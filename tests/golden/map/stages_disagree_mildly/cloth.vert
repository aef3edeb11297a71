#version 460

layout(set = 0, binding = 0) uniform Shape { mat4 place; } shape;
layout(set = 0, binding = 1) uniform sampler2D weave[3];

void main() { gl_Position = shape.place * texture(weave[2], vec2(0.0)); }
