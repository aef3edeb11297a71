#version 460

layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 colour;

void main() { colour = texture(picture, vec2(0.5)); }
