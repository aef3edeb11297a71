#version 460
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform sampler2D grid[2][3];
layout(set = 0, binding = 1) buffer Out { vec4 sum; };

void main() { sum = texture(grid[1][gl_WorkGroupID.x % 3], vec2(0.0)); }
