#version 460
layout(set = 0, binding = 0, r32ui) coherent uniform uimage2D counts;
layout(set = 0, binding = 1, r32ui) volatile uniform uimage2D others;
void main() {
  imageAtomicAdd(counts, ivec2(0), imageLoad(others, ivec2(0)).x);
}
