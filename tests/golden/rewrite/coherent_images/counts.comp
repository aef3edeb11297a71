#version 460
layout(set = 0, binding = 0, r32ui) uniform uimage2D plain;
layout(set = 0, binding = 1, r32ui) coherent uniform uimage2D counts;
layout(set = 0, binding = 2, r32ui) volatile uniform uimageBuffer ticks[2];
layout(set = 0, binding = 3, r32ui) coherent uniform uimage2D mapped;
layout(set = 0, binding = 4, r32ui) coherent uniform uimage2D rewritten;
void main() {
  uint n = imageLoad(plain, ivec2(0)).x + imageLoad(mapped, ivec2(0)).x + imageLoad(ticks[1], 0).x;
  imageAtomicAdd(counts, ivec2(0), n);
  imageAtomicAdd(rewritten, ivec2(0), n);
}
