// SPDX-License-Identifier: MIT
layout(set = 1, binding = 0) writeonly buffer Results {
  uint numbers[];
} results;
