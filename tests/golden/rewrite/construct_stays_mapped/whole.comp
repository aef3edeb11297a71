#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) buffer Result { float values[]; } result;
void main() { result.values[gl_WorkGroupID.x] = 1.0; }
