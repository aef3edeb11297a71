#version 460
#extension GL_EXT_nonuniform_qualifier : require

layout(set = 0, binding = 0) uniform texture2D everything[];
layout(set = 0, binding = 1) readonly buffer Lists { uint items[]; } lists[];
layout(set = 0, binding = 2) uniform sampler few[];
layout(location = 0) flat in uint pick;
layout(location = 0) out vec4 colour;

void main() {
  uint which = lists[pick].items[0];
  colour = texture(sampler2D(everything[nonuniformEXT(which)], few[2]), vec2(0.5));
}
