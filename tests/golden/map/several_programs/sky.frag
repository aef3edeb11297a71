#version 460

layout(set = 1, binding = 0) uniform sampler2D clouds;
layout(location = 0) out vec4 colour;

void main() { colour = texture(clouds, vec2(0.5)); }
