#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Programs disagree on the name of set 0, binding 0.
layout(set = 0, binding = 0) uniform View { mat4 matrix; } view;
layout(set = 2, binding = 0) uniform texture2D images[];
layout(set = 2, binding = 1) uniform sampler filters[];
layout(set = 2, binding = 2) buffer Result { vec4 value; };
void main() {
  value = view.matrix[0] + textureLod(sampler2D(images[gl_WorkGroupID.x], filters[gl_WorkGroupID.y]), vec2(0), 0);
}
