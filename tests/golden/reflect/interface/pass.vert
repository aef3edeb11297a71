#version 460
layout(push_constant, std430) uniform Push {
  layout(offset = 20) uint drawId;
  layout(offset = 8) uvec2 handle;
  layout(offset = 32) layout(row_major) mat3x2 transform;
  vec4 colors[4];
  vec4 never;
  float weights[8];
} push;
layout(location = 0) in vec3 position;
layout(location = 1) in dvec4 wide;
layout(location = 4) in mat3 basis;
layout(location = 7) in float unused;
layout(location = 0) out Surface {
  vec3 normal;
  flat uint material;
  vec2 coordinates[3];
  vec4 tangent;
} surface;
layout(location = 8, component = 2) out noperspective centroid vec2 late;

float weight(uint index) {
  return push.weights[index];
}

void main() {
  surface.normal = basis * position + vec3(wide.x);
  surface.material = push.drawId;
  surface.coordinates[0] = vec2(push.handle.y, weight(gl_VertexIndex));
  surface.tangent = push.colors[2];
  late = push.transform * position;
  gl_Position = vec4(position, 1);
}
