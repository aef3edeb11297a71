#version 460
layout(set = 1, binding = 0) uniform sampler2D albedo;
layout(set = 1, binding = 1) uniform Factors { vec4 factors; };
layout(location = 0) out vec4 colour;
void main() { colour = texture(albedo, vec2(0.5)) + factors; }
