#version 460
layout(local_size_x = 8) in;

layout(set = 2, binding = 1, std430) buffer Bytes { uint count; uint words[]; } bytes;
layout(set = 2, binding = 1, std430) buffer Quads { uvec4 head[3]; uvec4 quads[]; } quads;

void main() { bytes.words[gl_LocalInvocationIndex] = quads.quads[bytes.count].x; }
