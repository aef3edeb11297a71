#version 460
#extension GL_EXT_ray_tracing : require

layout(set = 1, binding = 0) readonly buffer Colours { vec4 colours[]; };
layout(location = 0) rayPayloadInEXT vec4 light;

void main() { light = colours[gl_InstanceCustomIndexEXT]; }
