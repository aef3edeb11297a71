#version 460

layout(set = 0, binding = 0) uniform texture2D shown;
layout(set = 0, binding = 0) uniform sampler how;
layout(location = 0) out vec4 colour;

void main() { colour = texture(sampler2D(shown, how), vec2(0.5)); }
