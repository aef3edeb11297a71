// SPDX-License-Identifier: MIT
layout(set = 0, binding = 0) buffer Results {
  uint words[];
} results;
