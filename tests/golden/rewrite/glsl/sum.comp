#version 460
layout(local_size_x = 4) in;
layout(constant_id = 0) const uint STEP = 4;
layout(set = 0, binding = 0) readonly buffer Input { uint count; uint values[]; } inputs[3];
layout(set = 0, binding = 1) buffer Output { uint numbers[]; } result;
layout(set = 0, binding = 2, r32ui) readonly uniform uimage2D source;
layout(set = 0, binding = 3) writeonly uniform image2D target;
layout(set = 0, binding = 4) uniform usamplerBuffer texels;
layout(set = 0, binding = 5, r32ui) uniform uimageBuffer tally;
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint first = result.numbers[i];
  result.numbers[i] = inputs[i % 3].values[i] + uint(inputs[1].values.length()) + STEP;
  result.numbers[i + 1] = first + imageLoad(source, ivec2(i, 0)).x + texelFetch(texels, int(i)).x;
  atomicAdd(result.numbers[0], imageAtomicAdd(tally, int(i), 5));
  imageStore(target, ivec2(i, 0), vec4(first));
}
