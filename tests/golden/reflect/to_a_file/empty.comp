#version 460
layout(local_size_x = 3, local_size_y = 5) in;
void main() {}
