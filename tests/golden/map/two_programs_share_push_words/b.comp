#version 460
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uvec4 a; uvec4 b; };
layout(set = 0, binding = 0) buffer Job { uint job; };
layout(set = 0, binding = 1) buffer Log { uint log_; };
void main() { job = a.x + b.y; log_ = 0; }
