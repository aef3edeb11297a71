#version 460

layout(set = 3, binding = 2) uniform texture2D bark;
layout(set = 1, binding = 9) uniform sampler smooth_;
layout(location = 0) out vec4 colour;

vec4 fetch(sampler how, texture2D what) { return texture(sampler2D(what, how), vec2(0.25)); }
vec4 shade(texture2D what, sampler how) { return 0.5 * fetch(how, what); }

void main() { colour = shade(bark, smooth_); }
