// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"

void main() {
  read_elements();
}
