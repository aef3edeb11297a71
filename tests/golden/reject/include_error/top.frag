#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared.glsl"
layout(location = 0) out vec4 colour;
void main() { colour = vec4(half_()); }
