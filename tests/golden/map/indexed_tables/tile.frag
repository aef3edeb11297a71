#version 460

layout(set = 1, binding = 0) uniform Look { vec4 colour; } look;
layout(set = 1, binding = 1) uniform sampler2D maps[3];
layout(set = 1, binding = 2) uniform texture2D stencil;
layout(set = 1, binding = 3) uniform sampler nearest;
layout(location = 0) out vec4 colour;

void main() {
  colour = look.colour * texture(maps[2], vec2(0.5)) * texture(sampler2D(stencil, nearest), vec2(0.5));
}
