#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(early_fragment_tests) in;
layout(depth_greater) out float gl_FragDepth;
layout(location = 0) sample in vec4 color;
layout(location = 1) flat in uint64_t id;
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;

void main() {
  first = color;
  second = vec4(float(id));
  gl_FragDepth = 1.0;
}
