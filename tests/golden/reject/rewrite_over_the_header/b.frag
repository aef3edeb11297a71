#version 460
layout(set = 0, binding = 1) uniform texture2D b;
layout(set = 0, binding = 2) uniform sampler s;
layout(location = 0) out vec4 color;
void main() { color = texture(sampler2D(b, s), vec2(0.5)); }
