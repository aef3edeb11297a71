#version 460
layout(set = 0, binding = 0) uniform sampler2D a;
layout(set = 0, binding = 1) uniform sampler2D b;
layout(set = 1, binding = 0) uniform sampler2D c;
layout(location = 0) out vec4 colour;
void main() { colour = texture(a, vec2(0)) + texture(b, vec2(0)) + texture(c, vec2(0)); }
