#version 460
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 1, binding = 0) uniform sampler2D second;
layout(set = 1, binding = 1) uniform Block { vec4 block; };
layout(set = 2, binding = 0) uniform sampler2D many;
layout(location = 0) out vec4 colour;
void main() { colour = texture(image, vec2(0.5)) + texture(second, vec2(0.5)) + block + texture(many, vec2(0.5)); }
