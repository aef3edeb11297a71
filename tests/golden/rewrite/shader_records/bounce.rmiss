#version 460
#extension GL_EXT_ray_tracing : require

layout(set = 1, binding = 4) uniform Sky { vec4 sky; };
layout(location = 0) rayPayloadInEXT vec4 light;

void main() { light = sky; }
