#version 460

layout(set = 0, binding = 2) uniform samplerCube sky;
layout(location = 0) out vec4 colour;

void main() { colour = texture(sky, vec3(1.0)); }
