#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Frame { uint number; } frame;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(set = 0, binding = 2) buffer Result { vec4 color; } result;
void main() {
  result.color = textureLod(picture, vec2(0.5), 0.0) + float(frame.number);
}
