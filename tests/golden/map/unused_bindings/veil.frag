#version 460

layout(constant_id = 4) const bool fog = false;
layout(set = 0, binding = 0) uniform Tint { vec4 tint; };
layout(set = 0, binding = 1) uniform sampler2D fogMap;
layout(set = 0, binding = 2) uniform sampler2D neverNamed;
layout(set = 0, binding = 3) buffer Log { uint lines[]; } onlyInDeadCode;
layout(location = 0) out vec4 colour;

void dead() { onlyInDeadCode.lines[0] = 1; }

void main() {
  colour = tint;
  if (fog) colour *= texture(fogMap, vec2(0.0));
}
