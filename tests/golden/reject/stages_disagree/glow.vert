#version 460
layout(set = 1, binding = 0) uniform texture2D lamp;
layout(set = 1, binding = 1) uniform sampler how;
void main() { gl_Position = textureLod(sampler2D(lamp, how), vec2(0.5), 0.0); }
