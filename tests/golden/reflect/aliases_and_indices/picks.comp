#version 460
layout(local_size_x_id = 3, local_size_y = 4) in;
layout(constant_id = 5) const uint COUNT = 4;
layout(set = 0, binding = 0, std430) coherent restrict buffer Words { uint words[]; } words[6];
layout(set = 0, binding = 0, std430) readonly buffer Vectors { vec4 vectors[]; } vectors[6];
layout(set = 0, binding = 1) uniform sampler2D pictures[COUNT * 2 + 1];
layout(set = 0, binding = 2, rgba8) uniform volatile writeonly image2D targets[3];

void main() {
  words[4].words[gl_GlobalInvocationID.x] = uint(vectors[1].vectors[0].x);
  words[2].words[0] = 1;
  imageStore(targets[0], ivec2(0), textureLod(pictures[1], vec2(0.5), 0.0));
  imageStore(targets[words[4].words[0]], ivec2(0), vec4(1));
}
