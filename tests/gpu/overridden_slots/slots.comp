// SPDX-License-Identifier: MIT
#version 460
#extension GL_EXT_nonuniform_qualifier : require

// Reads descriptors of every class behind counts that can be overridden. Eight numbers.

layout(local_size_x = 1) in;

layout(constant_id = 0) const uint kFactor = 3;

layout(set = 0, binding = 0) uniform usamplerBuffer texels[];
layout(set = 0, binding = 1) uniform usamplerBuffer lastTexels;
layout(set = 0, binding = 2) uniform texture2D picture;
layout(set = 0, binding = 3) readonly buffer Input { uint number; } inputs[];
layout(set = 0, binding = 4) buffer Result { uint numbers[]; } result;
layout(set = 1, binding = 0) uniform Material { uint id; } material;
layout(set = 1, binding = 1) uniform usamplerBuffer skin;
layout(set = 1, binding = 2) uniform sampler border;
layout(set = 2, binding = 0) uniform Tail { uint id; } tail;
layout(set = 2, binding = 1) uniform sampler2D lastPicture;
layout(push_constant) uniform Push { uint element; uint salt; } push;

void main() {
  const vec2 outside = vec2(-1.0, 0.5);  // what is there is the sampler's border colour
  result.numbers[0] = kFactor * push.salt;
  result.numbers[1] = texelFetch(texels[push.element], 0).r;
  result.numbers[2] = texelFetch(lastTexels, 0).r;
  result.numbers[3] = inputs[push.element].number;
  result.numbers[4] = material.id + texelFetch(skin, 0).r;
  result.numbers[5] = uint(textureLod(sampler2D(picture, border), outside, 0.0).r);
  result.numbers[6] = tail.id;
  result.numbers[7] = uint(textureLod(lastPicture, outside, 0.0).r);
}
