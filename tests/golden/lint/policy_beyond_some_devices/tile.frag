#version 460
layout(set = 0, binding = 0) uniform sampler2D albedo;
layout(location = 0) out vec4 color;
void main() { color = texture(albedo, gl_FragCoord.xy); }
