#version 460
layout(set = 0, binding = 0) uniform texture2D a[4];
layout(set = 0, binding = 1) uniform texture2D b[4];
layout(set = 0, binding = 2) uniform sampler nearest;
layout(set = 0, binding = 3) uniform sampler linear;
layout(set = 0, binding = 9) buffer Result { vec4 value; } result;
void main() {
  result.value = textureLod(sampler2D(a[1], nearest), vec2(0), 0) + textureLod(sampler2D(b[0], linear), vec2(0), 0);
}
