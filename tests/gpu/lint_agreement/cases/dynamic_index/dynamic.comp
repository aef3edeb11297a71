#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform Block { vec4 value; } blocks[4];
layout(set = 0, binding = 1) buffer Result { vec4 value; } result;
layout(set = 0, binding = 2) uniform texture2D textures[];
layout(set = 0, binding = 3) uniform sampler filtering;
void main() {
  const uint picked = gl_WorkGroupID.x;
  result.value = blocks[picked & 3].value +
                 textureLod(sampler2D(textures[nonuniformEXT(picked)], filtering), vec2(0), 0);
}
