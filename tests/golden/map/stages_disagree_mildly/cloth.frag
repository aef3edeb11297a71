#version 460

layout(set = 0, binding = 0) uniform Shape { mat4 place; vec4 dye; } shape;
layout(set = 0, binding = 1) uniform sampler2D weave[5];
layout(location = 0) out vec4 colour;

void main() { colour = shape.dye * texture(weave[4], vec2(0.0)); }
