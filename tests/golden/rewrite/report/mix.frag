#version 450
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(set = 0, binding = 2) uniform sampler2D fixedSampler;
layout(set = 0, binding = 3, rgba8) readonly uniform image2D picture;
layout(set = 0, binding = 4) uniform Forgotten { vec4 color; } forgotten;
layout(set = 1, binding = 0) uniform sampler2D albedo[3];
layout(set = 1, binding = 1) buffer Counter { uint count; } counter;
layout(push_constant) uniform Push { int which; } push;
layout(location = 0) out vec4 color;
void main() {
  counter.count = 1;
  color = subpassLoad(before) + texture(fixedSampler, vec2(0.5)) + imageLoad(picture, ivec2(0)) + texture(albedo[push.which], vec2(0.5));
}
