#version 460
layout(set = 0, binding = 0) uniform sampler2D combined;
layout(set = 0, binding = 1) uniform sampler2D video;
layout(set = 0, binding = 2) uniform sampler2DShadow shadows[2];
layout(set = 0, binding = 3) uniform sampler alone;
layout(set = 0, binding = 4) uniform texture2D image;
layout(set = 1, binding = 0) uniform sampler2D bordered;
layout(set = 1, binding = 1) uniform isampler2D counted;
layout(set = 1, binding = 2) uniform sampler2D keptInHeap;
layout(set = 1, binding = 3) uniform sampler2D chosenByTable;
layout(location = 0) out vec4 colour;

void main() {
  const vec2 at = vec2(0.5);
  colour = texture(combined, at) + texture(video, at) + texture(shadows[1], vec3(at, 0.5));
  colour += texture(sampler2D(image, alone), at) + texture(bordered, at) + texture(counted, at);
  colour += texture(keptInHeap, at) + texture(chosenByTable, at);
}
