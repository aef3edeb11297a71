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
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 4, local_size_y = 1, local_size_z = 1) in;

layout(constant_id = 0) const uint STEP = 4u;
layout(constant_id = 65537) const uint firstBuffer = 0u;
const uint _102 = (firstBuffer + 3u);
const uint _112 = (firstBuffer + 1u);

layout(descriptor_heap, std430) buffer Output
{
    uint numbers[];
} OutputHeap[];

layout(descriptor_heap, std430) readonly buffer Input
{
    uint count;
    uint values[];
} InputHeap[];

layout(descriptor_heap, std430) readonly buffer Input_1
{
    uint count;
    uint values[];
} InputHeap2[];

layout(descriptor_heap, r32ui) readonly uniform uimage2D uimage2DHeap[];
layout(descriptor_heap) uniform utextureBuffer utextureBufferHeap[];
layout(descriptor_heap, r32ui) uniform uimageBuffer uimageBufferHeap[];
layout(descriptor_heap) writeonly uniform image2D image2DHeap[];
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint first = OutputHeap[_102].numbers[i];
    uint _39 = InputHeap[firstBuffer + (i % 3u)].values[i];
    OutputHeap[_102].numbers[i] = (_39 + uint(int(uint(InputHeap2[_112].values.length())))) + STEP;
    OutputHeap[_102].numbers[i + 1u] = (first + imageLoad(uimage2DHeap[0u], ivec2(int(i), 0)).x) + texelFetch(utextureBufferHeap[2u], int(i)).x;
    uint _84 = imageAtomicAdd(uimageBufferHeap[3u], int(i), 5u);
    uint _85 = atomicAdd(OutputHeap[_102].numbers[0], _84);
    imageStore(image2DHeap[1u], ivec2(int(i), 0), vec4(float(first)));
}

