#version 460
#extension GL_EXT_nonuniform_qualifier : require

layout(set = 0, binding = 0) uniform Tree { mat4 root[7]; vec3 wind; } trees[4];
layout(set = 0, binding = 1) readonly buffer Leaves { mat4 leaves[]; } boughs[];

void main() {
  gl_Position = trees[gl_InstanceIndex & 3].root[gl_VertexIndex % 7] *
                boughs[gl_InstanceIndex].leaves[gl_VertexIndex][1];
}
