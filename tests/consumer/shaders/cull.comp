// SPDX-License-Identifier: MIT
#version 460
layout(local_size_x = 64) in;

// A name that is a keyword of C++.
layout(set = 2, binding = 0) buffer Counts { uint counts[]; } register;

void main() { atomicAdd(register.counts[gl_LocalInvocationIndex], 1u); }
