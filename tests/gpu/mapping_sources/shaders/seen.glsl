// SPDX-License-Identifier: MIT
// A ray's payload: what the shaders that it met found through their records.
struct Seen {
  uvec4 last;    // by the miss or the closest-hit shader
  uvec4 anyHit;
};
