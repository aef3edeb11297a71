#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT vec4 payload;
hitAttributeEXT vec2 barycentrics;

void main() {
  payload = vec4(barycentrics, gl_HitTEXT, 1);
}
