#version 460
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput before;
layout(set = 0, binding = 1) uniform sampler2D film;
layout(set = 0, binding = 2) uniform sampler2D embedded;
layout(set = 1, binding = 0) uniform sampler2D plain;
layout(location = 0) out vec4 color;
void main() {
  const vec2 at = vec2(0.5);
  color = subpassLoad(before) + texture(film, at) + texture(embedded, at) + texture(plain, at);
}
