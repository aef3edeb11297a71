#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Light { vec4 color; } light;
layout(set = 0, binding = 1) buffer Result { vec4 result; };
void main() { result = light.color; }
