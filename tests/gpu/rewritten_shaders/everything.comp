// SPDX-License-Identifier: MIT
#version 460

// Reads one of every kind of descriptor, picked in different ways. Sixteen numbers a workgroup.

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform Frame { uvec4 scale; uint offset; } frames[2];
layout(set = 0, binding = 1) readonly buffer Input { uint count; uint values[]; } inputs[3];
layout(set = 0, binding = 2) buffer Output { uint numbers[]; } result;
layout(set = 0, binding = 3) uniform sampler2D pictures[2];
layout(set = 0, binding = 4, r32ui) coherent uniform uimage2D counter;
layout(set = 0, binding = 5) uniform usamplerBuffer texels;
layout(set = 0, binding = 6, r32ui) uniform uimageBuffer tally;
layout(set = 0, binding = 7) uniform texture2D plain;
layout(set = 0, binding = 8) uniform sampler nearest;
layout(set = 1, binding = 0) uniform Material { uint id; } material;
layout(set = 1, binding = 1) uniform sampler2D skin;
layout(push_constant) uniform Push { uint salt; } push;

uint red_of(sampler2D image) {
  return uint(textureLod(image, vec2(0.5), 0.0).r * 255.0 + 0.5);
}

uint red_of_one(sampler2D images[2], uint index) {
  return red_of(images[index]);
}

void main() {
  const uint group = gl_WorkGroupID.x;
  const uint first = group * 16;
  result.numbers[first + 0] = frames[group & 1].scale[group] + frames[1].offset;
  result.numbers[first + 1] = inputs[group % 3].count;
  result.numbers[first + 2] = inputs[group % 3].values.length();
  result.numbers[first + 3] = inputs[2].values[group];
  result.numbers[first + 4] = red_of(pictures[group & 1]);
  result.numbers[first + 5] = textureSize(pictures[1], 0).x;
  result.numbers[first + 6] = imageAtomicAdd(counter, ivec2(group, 0), group + 1);
  result.numbers[first + 7] = imageLoad(counter, ivec2(group, 0)).r;
  result.numbers[first + 8] = texelFetch(texels, int(group)).r;
  result.numbers[first + 9] = imageAtomicAdd(tally, int(group), 5);
  result.numbers[first + 10] =
      uint(textureLod(sampler2D(plain, nearest), vec2(0.5), 0.0).r * 255.0 + 0.5);
  result.numbers[first + 11] = material.id + push.salt;
  result.numbers[first + 12] = red_of(skin);
  result.numbers[first + 13] = red_of_one(pictures, 1 - (group & 1));
  result.numbers[first + 14] = imageSize(counter).x;
  result.numbers[first + 15] = result.numbers.length();
}
