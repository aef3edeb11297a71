#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 3, r32ui) uniform writeonly uimage2D target;
void main() { imageStore(target, ivec2(0), uvec4(0)); }
