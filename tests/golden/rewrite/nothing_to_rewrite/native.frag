#version 460
#extension GL_EXT_descriptor_heap : require
layout(descriptor_heap) uniform texture2D textures[];
layout(descriptor_heap) uniform sampler samplers[];
layout(location = 0) out vec4 color;
void main() { color = texture(sampler2D(textures[3], samplers[1]), vec2(0.5)); }
