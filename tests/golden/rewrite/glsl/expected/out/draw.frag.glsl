#version 460
// heapsmith: descriptors come from the heaps. An index counts descriptors of its class from the
// heap's start; the manifest says which slots are whose.
// To be set whenever a pipeline is created, as vulkan_specialization() does:
//   constant_id 65537: firstBuffer, the first slot of the buffer region: (n *
//     imageDescriptorSize + bufferDescriptorSize - 1) / bufferDescriptorSize, n being the slots
//     of the image region: 19 without overrides
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_shader_image_load_formatted : require

layout(constant_id = 65537) const uint firstBuffer = 0u;
const uint _107 = (firstBuffer + 4u);

layout(push_constant, std430) uniform Push
{
    vec4 tint;
    uint material;
    uint materialSampler;
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
    uint _82 = push.material * 3u;
    uint _94 = push.materialSampler * 3u;
    uint _108 = push.material + _107;
    color = (push.tint * texture(sampler2D(texture2DHeap[(_82 + 4u) + 1u], samplerHeap[_94 + 1u]), vec2(0.5))) * texture(sampler2D(texture2DHeap[_82 + 6u], samplerHeap[_94 + 2u]), vec2(0.25));
    vec4 _65 = color;
    vec3 _67 = _65.xyz + (MaterialHeap[_108].turn * (MaterialHeap[_108].bend * vec2(MaterialHeap[_108].part)));
    color.x = _67.x;
    color.y = _67.y;
    color.z = _67.z;
}

