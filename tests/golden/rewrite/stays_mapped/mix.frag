#version 460
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(set = 0, binding = 1) uniform Light { vec4 color; } light;
layout(set = 0, binding = 2) uniform sampler2D fixedSampler;
layout(set = 0, binding = 3, rgba8) readonly uniform image2D picture;
layout(location = 0) out vec4 color;
void main() {
  color = subpassLoad(before) * light.color + texture(fixedSampler, vec2(0.5)) + imageLoad(picture, ivec2(0));
}
