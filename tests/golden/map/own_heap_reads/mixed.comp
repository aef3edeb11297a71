#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
layout(descriptor_heap) uniform texture2D pictures[];
layout(descriptor_heap) uniform sampler filters[];
layout(descriptor_heap) buffer Record { vec4 color; } records[];
layout(set = 0, binding = 0) buffer Order { vec4 tint; uint which; } order;
layout(set = 0, binding = 1) uniform texture2D legacy;
layout(set = 0, binding = 2) uniform sampler smooth_;
void main() {
    vec4 color = textureLod(sampler2D(pictures[3], filters[1]), vec2(0.5), 0.0);
    color += textureLod(sampler2D(pictures[4], filters[0]), vec2(0.5), 0.0);
    color += textureLod(sampler2D(legacy, smooth_), vec2(0.5), 0.0);
    records[order.which].color = color * order.tint;
}
