// SPDX-License-Identifier: MIT
#version 450

layout(set = 0, binding = 0) uniform Camera {
  mat4 viewProjection;
  mat4 inverseViewProjection;
  vec4 eye;
  vec4 keyDirection;
} camera;

layout(set = 1, binding = 0) uniform Model {
  mat4 transform;
  vec4 tint;
  vec4 finish;
} model;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 textureCoordinate;
layout(location = 3) in vec2 bakedLight;

layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 worldNormal;
layout(location = 2) out vec2 uv;
layout(location = 3) out vec2 light;

void main() {
  vec4 world = model.transform * vec4(position, 1.0);
  worldPosition = world.xyz;
  worldNormal = mat3(model.transform) * normal;
  uv = textureCoordinate;
  light = bakedLight;
  gl_Position = camera.viewProjection * world;
}
