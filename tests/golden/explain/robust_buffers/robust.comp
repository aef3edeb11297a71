#version 460
layout(set = 0, binding = 0) uniform Small { vec4 value; } small;
layout(set = 0, binding = 1) readonly buffer Read { vec4 value; } read;
layout(set = 1, binding = 0) buffer Result { vec4 value; } result;
void main() { result.value = small.value + read.value; }
