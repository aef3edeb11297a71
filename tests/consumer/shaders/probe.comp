// SPDX-License-Identifier: MIT
#version 460
layout(local_size_x = 1) in;

layout(push_constant) uniform Own { uint layer; };
layout(set = 3, binding = 0) uniform sampler2D packedImage;
layout(set = 4, binding = 0) uniform sampler2D farImage;
layout(set = 5, binding = 0) uniform texture2D scattered[3];
layout(set = 6, binding = 0) uniform Pushed { vec4 colour; vec2 scale; } pushed;
layout(set = 6, binding = 1) uniform Inline { vec4 values[9]; } inHeap;
layout(set = 6, binding = 2) readonly buffer Near { vec4 near; };
layout(set = 6, binding = 3) readonly buffer Far { vec4 far; };
layout(set = 6, binding = 4) buffer Result { vec4 result; };
layout(set = 7, binding = 0) uniform sampler linear;
layout(set = 7, binding = 1) uniform sampler2D film;
layout(set = 7, binding = 2) uniform sampler2D bordered;

void main() {
  result = textureLod(packedImage, pushed.scale, 0.0) + textureLod(farImage, pushed.scale, 0.0);
  result += textureLod(sampler2D(scattered[2], linear), pushed.scale, 0.0) + inHeap.values[layer];
  result += near + far + textureLod(film, pushed.scale, 0.0) + textureLod(bordered, pushed.scale, 0.0);
  result *= pushed.colour;
}
