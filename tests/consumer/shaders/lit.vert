// SPDX-License-Identifier: MIT
#version 460

layout(push_constant) uniform Object { vec4 place; } object;
layout(set = 0, binding = 0) uniform Camera { mat4 clipFromWorld; } camera;

void main() { gl_Position = camera.clipFromWorld * object.place; }
