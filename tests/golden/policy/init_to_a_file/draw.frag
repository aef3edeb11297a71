#version 460
layout(set = 1, binding = 3) uniform sampler2D albedo;
layout(set = 1, binding = 4) uniform Material { vec4 tint; } material;
layout(location = 0) out vec4 color;
void main() { color = texture(albedo, gl_FragCoord.xy) * material.tint; }
