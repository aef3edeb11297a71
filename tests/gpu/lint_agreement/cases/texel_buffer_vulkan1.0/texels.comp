#version 460
// SPDX-License-Identifier: MIT
// Before SPIR-V 1.6 a uniform texel buffer is an OpTypeSampledImage.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform samplerBuffer texels;
layout(set = 0, binding = 1) buffer Result { vec4 value; } result;
void main() { result.value = texelFetch(texels, 1); }
