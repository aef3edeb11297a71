#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 3) buffer Sum { uint sum; };
void main() { sum = 1; }
