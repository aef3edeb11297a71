#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D a;
layout(set = 1, binding = 0) uniform sampler2D b;
layout(set = 2, binding = 0) uniform Block { vec4 block; };
layout(set = 3, binding = 0) uniform sampler2D kept;
layout(set = 4, binding = 0) buffer Result { vec4 result; };
layout(push_constant) uniform Own { vec4 own; };
void main() { result = textureLod(a, own.xy, 0.0) + textureLod(b, own.xy, 0.0) + block + textureLod(kept, own.xy, 0.0); }
