// SPDX-License-Identifier: MIT
#version 460

layout(set = 1, binding = 0) uniform sampler2D albedo;
layout(set = 1, binding = 1) uniform sampler2D normal;
layout(location = 0) out vec4 colour;

void main() { colour = texture(albedo, vec2(0.5)) * texture(normal, vec2(0.5)); }
