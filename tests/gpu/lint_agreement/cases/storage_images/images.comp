#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, rgba8) uniform readonly image2D source;
layout(set = 0, binding = 1, rgba8) uniform image2D target;
layout(set = 0, binding = 2, r32ui) uniform uimageBuffer texels;
void main() {
  imageStore(target, ivec2(0), imageLoad(source, ivec2(0)) + imageLoad(target, ivec2(1)));
  imageAtomicAdd(texels, 0, 1);
}
