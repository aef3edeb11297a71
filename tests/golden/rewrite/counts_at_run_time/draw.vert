#version 460
layout(constant_id = 65537) const uint kBones = 4;
layout(set = 0, binding = 0) uniform Camera { mat4 viewProjection; } camera;
layout(set = 1, binding = 0) uniform Bones { mat4 bones[kBones]; } bones;
layout(set = 2, binding = 0) uniform Tail { vec4 offset; } tail;
void main() {
  gl_Position = camera.viewProjection * bones.bones[gl_VertexIndex % kBones] * tail.offset;
}
