#version 460
layout(local_size_x = 1) in;

layout(set = 0, binding = 4) buffer A { uint value; } a[2];
layout(set = 0, binding = 5) buffer B { uint value; } b;
layout(set = 4000000, binding = 123456789) buffer C { uint value; } c;

void main() { c.value = a[1].value + b.value; }
