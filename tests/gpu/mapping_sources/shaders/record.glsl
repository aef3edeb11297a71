// SPDX-License-Identifier: MIT
// What a shader finds through its own record of the shader binding table.
layout(set = 0, binding = 0) uniform ByIndex {
  uvec4 payload;
} by_index[2];

layout(set = 0, binding = 1) uniform ByData {
  uint ignored;
  uint number;
} by_data;

layout(set = 0, binding = 2) uniform ByAddress {
  uvec4 payload;
} by_address;

uvec4 read_record() {
  return uvec4(by_index[0].payload.x, by_index[1].payload.x, by_data.number, by_address.payload.w);
}
