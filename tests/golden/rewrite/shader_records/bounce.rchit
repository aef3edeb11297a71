#version 460
#extension GL_EXT_ray_tracing : require

layout(shaderRecordEXT) buffer Own { float gain; };
layout(set = 1, binding = 0) uniform sampler2D albedo;
layout(set = 1, binding = 1) readonly buffer Vertices { vec4 vertices[]; };
layout(set = 1, binding = 2) uniform Tint { vec4 tint; vec2 scale; };
layout(set = 2, binding = 0) uniform sampler2D packedAlbedo;
layout(location = 0) rayPayloadInEXT vec4 light;

void main() {
  light = textureLod(albedo, scale, 0.0) * vertices[gl_PrimitiveID] * tint * gain;
  light += textureLod(packedAlbedo, scale, 0.0);
}
