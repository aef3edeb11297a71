// SPDX-License-Identifier: MIT
vec4 tinted(vec4 colour) { return colour * 0.5; }
