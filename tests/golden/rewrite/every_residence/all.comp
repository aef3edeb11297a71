#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) uniform texture2D constantImage;
layout(set = 0, binding = 1) uniform sampler constantSampler;
layout(set = 1, binding = 0) uniform sampler2D pushedImages[2];
layout(set = 1, binding = 1) uniform Pushed { vec4 pushed; };
layout(set = 2, binding = 0) uniform sampler2D packedImage;
layout(set = 3, binding = 0, rgba8) uniform readonly image2D farImage;
layout(set = 3, binding = 1) uniform sampler farSampler;
layout(set = 4, binding = 0) uniform sampler2D scatteredImages[];
layout(set = 4, binding = 1) uniform ScatteredBlock { vec4 scattered; } scatteredBlocks[3];
layout(set = 5, binding = 0) uniform InHeap { vec4 inHeap[5]; };
layout(set = 5, binding = 1) uniform InPushData { vec2 inPushData; };
layout(set = 5, binding = 2) uniform AtPushedAddress { vec4 atPushedAddress; };
layout(set = 5, binding = 3) readonly buffer AtFarAddress { vec4 atFarAddress; };
layout(set = 5, binding = 4) buffer Result { vec4 result; };
layout(push_constant) uniform Own { uint layer; };

void main() {
  const vec2 at = vec2(0.5);
  result = textureLod(sampler2D(constantImage, constantSampler), at, 0.0);
  result += textureLod(pushedImages[1], at, 0.0) + pushed + textureLod(packedImage, at, 0.0);
  result += imageLoad(farImage, ivec2(0)) + textureLod(sampler2D(constantImage, farSampler), at, 0.0);
  result += textureLod(scatteredImages[layer], at, 0.0) + scatteredBlocks[2].scattered;
  result += inHeap[layer] + vec4(inPushData, 0.0, 0.0) + atPushedAddress + atFarAddress;
}
