#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 1) uniform texture2D first;
layout(set = 0, binding = 2) uniform texture2D textures[];
layout(set = 0, binding = 3) uniform texture2D last;
layout(set = 0, binding = 4) uniform sampler linear;
layout(set = 1, binding = 1) uniform sampler2D skin;
layout(push_constant) uniform Push { uint index; } push;
layout(location = 0) out vec4 color;
void main() {
  color = texture(sampler2D(first, linear), vec2(0.5)) +
          texture(sampler2D(textures[push.index], linear), vec2(0.5)) +
          texture(sampler2D(last, linear), vec2(0.5)) + texture(skin, vec2(0.5));
}
