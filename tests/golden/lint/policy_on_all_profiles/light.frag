#version 460
layout(set = 1, binding = 1) uniform sampler2D albedo;
layout(set = 1, binding = 2) uniform texture2D layers[3];
layout(set = 0, binding = 1) uniform sampler filtering;
layout(location = 0) out vec4 color;
void main() {
  color = texture(albedo, gl_FragCoord.xy) + texture(sampler2D(layers[1], filtering), gl_FragCoord.xy);
}
