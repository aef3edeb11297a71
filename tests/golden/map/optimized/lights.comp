#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint spare; uint which; } push;
layout(set = 0, binding = 0) uniform Unused { vec4 nothing; } unused_;
layout(set = 0, binding = 1) uniform Camera { uint first, spare, last; } camera;
layout(set = 0, binding = 2) uniform texture2D dead[3];
layout(set = 0, binding = 3) uniform texture2D picture;
layout(set = 0, binding = 4) buffer Result { vec4 color; } result;
const bool kDebug = false;
void main() {
    result.color = vec4(camera.last) + texelFetch(picture, ivec2(push.which), 0);
    if (kDebug) result.color += texelFetch(dead[1], ivec2(camera.first), 0);
}
