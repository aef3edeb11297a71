#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(descriptor_heap) uniform texture2D pictures[];
layout(descriptor_heap) uniform sampler samplers[];
layout(descriptor_heap) uniform samplerShadow shadowSamplers[];
layout(descriptor_heap, r32ui) uniform coherent uimage2D counters[];
layout(descriptor_heap, descriptor_stride = 64) readonly buffer Lights { uint count; vec4 lights[]; } lightLists[];
layout(descriptor_heap) uniform Camera { mat4 view; } cameras[];
layout(descriptor_heap) uniform textureBuffer texels[];
layout(set = 1, binding = 2) uniform Choice { uint which; } choice;
layout(location = 0) flat in uint material;
layout(location = 0) out vec4 color;

void main() {
  color = texture(sampler2D(pictures[nonuniformEXT(material)], samplers[1]), gl_FragCoord.xy);
  color += texture(sampler2D(pictures[5], samplers[7]), gl_FragCoord.xy);
  color += texture(sampler2DShadow(pictures[choice.which], shadowSamplers[2]), gl_FragCoord.xyz);
  color += cameras[3].view[0] * float(imageAtomicAdd(counters[choice.which], ivec2(0), 1u));
  color += lightLists[choice.which].lights[lightLists[choice.which].lights.length() - 1];
  color += texelFetch(texels[choice.which], 0);
}
