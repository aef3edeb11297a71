#version 460
// heapsmith: descriptors come from the heaps. An index counts descriptors of its class from the
// heap's start; the manifest says which slots are whose.
// firstBuffer (constant_id = 1) must be set when the pipeline is created, to the first slot of
// the buffer region: (19 * imageDescriptorSize + bufferDescriptorSize - 1) / bufferDescriptorSize.
// Its default holds where both sizes are the same.
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_shader_image_load_formatted : require

layout(constant_id = 1) const uint firstBuffer = 19u;
const uint _107 = (firstBuffer + 4u);

layout(push_constant, std430) uniform Push
{
    vec4 tint;
    uint _m1;
    uint _m2;
} push;

layout(location = 0) out vec4 color;
layout(descriptor_heap, std140) uniform Material
{
    mat3 turn;
    layout(row_major) mat2x3 bend;
    float part;
} MaterialHeap[];

layout(descriptor_heap) uniform texture2D texture2DHeap[];
layout(descriptor_heap) uniform sampler samplerHeap[];

void main()
{
    uint _82 = push._m1 * 3u;
    uint _94 = push._m2 * 3u;
    uint _108 = push._m1 + _107;
    color = (push.tint * texture(sampler2D(texture2DHeap[(_82 + 4u) + 1u], samplerHeap[_94 + 1u]), vec2(0.5))) * texture(sampler2D(texture2DHeap[_82 + 6u], samplerHeap[_94 + 2u]), vec2(0.25));
    vec4 _65 = color;
    vec3 _67 = _65.xyz + (MaterialHeap[_108].turn * (MaterialHeap[_108].bend * vec2(MaterialHeap[_108].part)));
    color.x = _67.x;
    color.y = _67.y;
    color.z = _67.z;
}

