#version 460
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform Camera { vec4 camera; };
layout(set = 0, binding = 1) readonly buffer Lights { vec4 lights[8]; };
layout(set = 0, binding = 2) readonly buffer Counted { vec4 counted[]; };
layout(set = 0, binding = 3) buffer Result { vec4 result; };
layout(set = 0, binding = 4) uniform Small { vec4 small; };
layout(set = 0, binding = 5) uniform Large { vec4 large[5]; };
layout(set = 0, binding = 6) uniform Plain { vec4 plain; };

void main() {
  result = camera + lights[3] + counted[counted.length() - 1] + small + large[4] + plain;
}
