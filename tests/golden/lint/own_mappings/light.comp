#version 460
layout(set = 0, binding = 0) uniform Lights { vec4 at[8]; } lights;
layout(set = 0, binding = 1) uniform sampler2D shadows[2];
layout(set = 0, binding = 2) buffer Result { vec4 value; } result;
void main() { result.value = lights.at[gl_LocalInvocationIndex & 7] + textureLod(shadows[1], vec2(0), 0); }
