#version 460
layout(push_constant) uniform Push { vec4 values[4]; } push;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 colour;
void main() { colour = texture(picture, push.values[3].xy); }
