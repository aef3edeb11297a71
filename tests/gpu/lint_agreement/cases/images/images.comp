#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform texture2D sampled;
layout(set = 0, binding = 1) uniform sampler apart;
layout(set = 0, binding = 2) uniform sampler2D combined;
layout(set = 0, binding = 3) uniform sampler2D several[4];
layout(set = 0, binding = 4, rgba8) uniform writeonly image2D stored;
layout(set = 0, binding = 5) uniform samplerBuffer texels;
void main() {
  vec4 sum = textureLod(sampler2D(sampled, apart), vec2(0), 0) + textureLod(combined, vec2(0), 0);
  imageStore(stored, ivec2(0), sum + textureLod(several[2], vec2(0), 0) + texelFetch(texels, 1));
}
