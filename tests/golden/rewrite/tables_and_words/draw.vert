#version 460
layout(set = 0, binding = 0) uniform Camera { mat4 viewProjection; } camera;
layout(set = 2, binding = 0) readonly buffer Object { mat4 model; } object;
layout(location = 0) in vec3 position;
void main() { gl_Position = camera.viewProjection * object.model * vec4(position, 1.0); }
