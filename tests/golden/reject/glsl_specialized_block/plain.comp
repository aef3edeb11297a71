#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) buffer Sum { float sum; } sums[4];
void main() { sums[1].sum = 1.0; }
