#version 460
layout(set = 0, binding = 0) uniform Camera { mat4 matrix; } camera;
layout(set = 1, binding = 0) readonly buffer Places { vec4 at[]; } places;
void main() { gl_Position = camera.matrix * places.at[gl_VertexIndex]; }
