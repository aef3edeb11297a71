#version 460
layout(set = 0, binding = 0) uniform Camera { mat4 clipFromWorld; } camera;
layout(set = 2, binding = 0) uniform Object { mat4 worldFromObject; } object;
layout(set = 2, binding = 1) uniform Skin { mat4 bones[40]; } skin;
void main() { gl_Position = camera.clipFromWorld * object.worldFromObject * skin.bones[3][0]; }
