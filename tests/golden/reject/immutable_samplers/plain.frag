#version 460
layout(set = 0, binding = 0) uniform sampler2D unknown;
layout(set = 0, binding = 1) uniform sampler2D three[3];
layout(set = 0, binding = 2) uniform sampler2D videos[2];
layout(set = 0, binding = 3) uniform sampler apart;
layout(set = 0, binding = 4) uniform texture2D image;
layout(set = 0, binding = 5) uniform sampler2D heaped;
layout(set = 0, binding = 6) uniform sampler2D bordered;
layout(set = 0, binding = 7) uniform sampler2D without;
layout(location = 0) out vec4 colour;
void main() {
  colour = texture(unknown, vec2(0.5)) + texture(three[1], vec2(0.5)) + texture(videos[1], vec2(0.5));
  colour += texture(sampler2D(image, apart), vec2(0.5)) + texture(heaped, vec2(0.5)) + texture(bordered, vec2(0.5));
  colour += texture(without, vec2(0.5));
}
