#version 460
// SPDX-License-Identifier: MIT
layout(set = 0, binding = 1) uniform sampler2D albedo;
layout(set = 1, binding = 0) buffer Result { vec4 value; } result;
void main() { result.value = texture(albedo, gl_FragCoord.xy); }
