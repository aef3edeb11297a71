#version 460
layout(set = 0, binding = 0) uniform samplerBuffer heights;
layout(set = 0, binding = 1) uniform usamplerBuffer palettes[4];
layout(set = 0, binding = 2, r32f) uniform imageBuffer result;
void main() {
  int i = int(gl_GlobalInvocationID.x);
  uint color = texelFetch(palettes[i & 3], i).x;
  imageStore(result, i, texelFetch(heights, int(color)));
}
