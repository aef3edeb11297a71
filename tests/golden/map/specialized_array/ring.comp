#version 460
layout(local_size_x = 1) in;

layout(constant_id = 0) const uint frames = 3;
layout(constant_id = 1) const float scale = -0.5;
layout(set = 0, binding = 0, r32f) uniform image2D history[frames];
layout(set = 0, binding = 1, r32f) uniform image2D more[frames * 2];

void main() {
  imageStore(history[gl_WorkGroupID.x], ivec2(0), vec4(scale));
  imageStore(more[gl_WorkGroupID.x], ivec2(0), vec4(scale));
}
