#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Frame { uint number; } frame;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(set = 0, binding = 2) buffer Result { vec4 color; } result;
layout(set = 1, binding = 0) uniform Material { uint number; } material;
layout(set = 1, binding = 1) uniform sampler2D skin;
layout(set = 2, binding = 0) uniform sampler2D fixed_;
void main() {
  result.color = textureLod(picture, vec2(0.5), 0.0) + textureLod(skin, vec2(0.5), 0.0) +
                 textureLod(fixed_, vec2(0.5), 0.0) + float(frame.number + material.number);
}
