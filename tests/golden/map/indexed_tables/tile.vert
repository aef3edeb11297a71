#version 460

layout(push_constant) uniform Draw { layout(offset = 16) vec4 place; } draw;
layout(set = 0, binding = 0) uniform Camera { mat4 clip; } camera;
layout(set = 2, binding = 0) uniform Bones { mat4 bones[8]; } rig;

void main() { gl_Position = camera.clip * rig.bones[gl_VertexIndex & 7] * draw.place; }
