#version 450
layout(local_size_x = 1) in;
layout(constant_id = 1) const uint ROWS = 4;
struct Row { float cells[ROWS]; };
layout(set = 0, binding = 0) uniform Table { Row rows[2]; } table;
layout(set = 0, binding = 1) buffer Sum { float sum; } sums[ROWS];
void main() { sums[1].sum = table.rows[1].cells[2]; }
