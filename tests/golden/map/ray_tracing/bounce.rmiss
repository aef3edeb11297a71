#version 460
#extension GL_EXT_ray_tracing : require

layout(set = 0, binding = 2) uniform Sky { vec4 sky; };
layout(location = 0) rayPayloadInEXT vec4 light;

void main() { light = sky; }
