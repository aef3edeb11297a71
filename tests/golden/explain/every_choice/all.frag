#version 460
layout(set = 0, binding = 0) uniform Camera { mat4 matrix; } camera;
layout(set = 1, binding = 0) uniform sampler2D albedo;
layout(set = 2, binding = 0) uniform Small { vec4 tint; } small;
layout(set = 2, binding = 1) uniform Large { mat4 bones[4]; } large;
layout(set = 2, binding = 2) readonly buffer Read { vec4 value; } read;
layout(set = 2, binding = 3) buffer Written { vec4 value; } written;
layout(set = 2, binding = 4) readonly buffer Counted { vec4 values[]; } counted;
layout(set = 2, binding = 5) uniform Several { vec4 value; } several[2];
layout(set = 2, binding = 6) uniform texture2D image;
layout(set = 3, binding = 0) uniform sampler filtering;
layout(set = 3, binding = 1) uniform Chosen { vec4 value; } chosen;
layout(set = 4, binding = 0) uniform Offset { vec4 value; } offset;
layout(set = 4, binding = 1) buffer WrittenOffset { vec4 value; } writtenOffset;
layout(set = 4, binding = 2) uniform InPlace { vec4 value; } inPlace;
layout(set = 4, binding = 3) uniform LongInPlace { vec4 value[8]; } longInPlace;
layout(set = 5, binding = 0) uniform Addressed { vec4 value; } addressed;
layout(set = 6, binding = 0) uniform Once { vec4 value; } once;
layout(set = 7, binding = 0) uniform Counted7 { vec4 value; } counted7;
layout(location = 0) out vec4 color;
void main() {
  color = camera.matrix[0] + texture(albedo, gl_FragCoord.xy) + small.tint + large.bones[0][0] + read.value +
          counted.values[counted.values.length() - 1] + several[1].value +
          texture(sampler2D(image, filtering), gl_FragCoord.xy) + chosen.value + offset.value + inPlace.value +
          longInPlace.value[7] + addressed.value + once.value + counted7.value;
  written.value = color;
  writtenOffset.value = color;
}
