#version 460
layout(set = 1, binding = 0) uniform sampler2D albedo[2];
layout(set = 1, binding = 3) uniform texture2D detail;
layout(set = 1, binding = 4) uniform sampler linear;
layout(set = 1, binding = 5) uniform Material { mat3 turn; layout(row_major) mat2x3 bend; float part; } material;
layout(push_constant) uniform Push { vec4 tint; } push;
layout(location = 0) out vec4 color;
void main() {
  color = push.tint * texture(albedo[1], vec2(0.5)) * texture(sampler2D(detail, linear), vec2(0.25));
  color.xyz += material.turn * (material.bend * vec2(material.part));
}
