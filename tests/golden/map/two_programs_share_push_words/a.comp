#version 460
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint a; };
layout(set = 0, binding = 0) buffer Job { uint job; };
void main() { job = a; }
