#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 3) const int COUNT = 4;

struct Light {
  vec3 position;
  float reach;
  vec3 colour;
  float falloff[2];
};

layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node {
  uint value;
  Node next;
};

// std140 pads what std430 does not: one name in the shader, two structs in the header.
layout(set = 0, binding = 0, std140) uniform Frame {
  mat4 view;
  layout(row_major) mat3x4 bones;
  float weights[COUNT];
  Light lights[2];
  Node list;
  int classes;
} frame;

layout(set = 0, binding = 1, scalar) readonly buffer Packed {
  Light light;
  int8_t small;
  double wide;
  uint count;
  Light more[];
} packed;

layout(set = 0, binding = 2, std430) buffer Out { vec4 v[]; } result;
layout(push_constant) uniform Push { layout(offset = 8) vec2 scale; mat2 turn; } push;

void main() {
  result.v[0] = frame.view[0] * frame.weights[1] + frame.bones[2] + vec4(frame.lights[1].colour, frame.classes);
  result.v[1] = vec4(packed.more[1].position, float(packed.wide) + packed.small + packed.count);
  result.v[2] = vec4(push.turn * push.scale, packed.light.reach, frame.list.next.value);
}
