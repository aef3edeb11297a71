#version 460
layout(set = 1, binding = 0, rgba8) uniform readonly image2D bulb;
layout(location = 0) out vec4 colour;
void main() { colour = imageLoad(bulb, ivec2(0)); }
