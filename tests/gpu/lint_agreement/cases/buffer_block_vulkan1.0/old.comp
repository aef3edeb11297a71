#version 460
// SPDX-License-Identifier: MIT
// For Vulkan 1.0 a storage buffer is a BufferBlock in the class Uniform.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uint value; } result;
void main() { result.value = 1; }
