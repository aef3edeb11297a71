#version 460
layout(set = 0, binding = 0) buffer Numbers { uint number; } numbers;
void main() { numbers.number = 2; }
