#version 460
layout(local_size_x_id = 3, local_size_y = 4) in;
layout(constant_id = 5) const uint COUNT = 4;
layout(set = 0, binding = 0, std430) coherent restrict buffer Words { uint list[]; } words[6];
layout(set = 0, binding = 0, std430) readonly buffer Vectors { vec4 list[]; } vectors[6];
layout(set = 0, binding = 1) uniform sampler2D pictures[COUNT * 2 + 1];
layout(set = 0, binding = 2, rgba8) uniform volatile writeonly image2D targets[3];

void main() {
  words[4].list[gl_GlobalInvocationID.x] = uint(vectors[1].list[0].x);
  words[2].list[0] = 1;
  imageStore(targets[0], ivec2(0), textureLod(pictures[1], vec2(0.5), 0.0));
  imageStore(targets[words[4].list[0]], ivec2(0), vec4(1));
}
