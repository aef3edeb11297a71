// SPDX-License-Identifier: MIT
#version 450

layout(set = 0, binding = 0) uniform Camera {
  mat4 viewProjection;
  mat4 inverseViewProjection;
  vec4 eye;
  vec4 keyDirection;  // towards the key light
} camera;

layout(set = 1, binding = 0) uniform Model {
  mat4 transform;
  vec4 tint;
  vec4 finish;  // roughness of the glaze, roughness of the metal
} model;

layout(set = 2, binding = 0) uniform sampler2D albedo;  // a: how much of it is metal

layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 worldNormal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec2 light;  // how much of the surroundings, and of the key light, gets here

layout(location = 0) out vec4 color;

const float kPi = 3.14159265;

// A rectangular light far away, with edges that a rough surface blurs.
float softbox(vec3 direction, vec3 axis, vec2 size, float blur) {
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), axis));
  vec3 up = cross(axis, right);
  float depth = dot(direction, axis);
  if (depth <= 0.0) return 0.0;
  vec2 at = abs(vec2(dot(direction, right), dot(direction, up)) / depth);
  vec2 inside = smoothstep(size + blur, max(size - blur, 0.0), at);
  return inside.x * inside.y * min(1.0, size.x * size.y / (blur * blur + size.x * size.y));
}

// What a reflection sees: a pale room, a large key light, a tall strip at each side.
vec3 studio(vec3 direction, float roughness) {
  float blur = 0.04 + 0.9 * roughness;
  vec3 room = mix(vec3(0.42, 0.37, 0.34), vec3(0.30, 0.35, 0.44),
                  smoothstep(-0.15 - blur, 0.25 + blur, direction.y));
  room *= mix(0.62, 1.0, smoothstep(-1.0, 0.6, direction.y));
  room += 5.5 * vec3(1.0, 0.95, 0.88) *
          softbox(direction, camera.keyDirection.xyz, vec2(0.42, 0.30), blur);
  room += 2.6 * vec3(0.80, 0.90, 1.0) *
          softbox(direction, normalize(vec3(1.0, 0.25, 0.1)), vec2(0.16, 0.9), blur);
  room += 1.8 * vec3(1.0, 0.86, 0.76) *
          softbox(direction, normalize(vec3(-0.9, 0.15, -0.55)), vec2(0.14, 0.9), blur);
  return room;
}

// Split-sum reflectance for a surface of reflectivity f0 (Karis's fit for mobile).
vec3 reflectance(vec3 f0, float roughness, float cosine) {
  vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float a = min(r.x * r.x, exp2(-9.28 * cosine)) * r.x + r.y;
  vec2 scale = vec2(-1.04, 1.04) * a + r.zw;
  return f0 * scale.x + scale.y;
}

vec3 tone(vec3 linear) {
  return clamp(linear * (2.51 * linear + 0.03) / (linear * (2.43 * linear + 0.59) + 0.14), 0.0, 1.0);
}

void main() {
  vec4 texel = texture(albedo, uv);
  vec3 base = texel.rgb * model.tint.rgb;
  float metal = texel.a;
  float roughness = mix(model.finish.x, model.finish.y, metal);

  vec3 n = normalize(worldNormal);
  vec3 v = normalize(camera.eye.xyz - worldPosition);
  float facing = max(dot(n, v), 0.0);
  float key = max(dot(n, camera.keyDirection.xyz), 0.0) * light.y;

  // Light that comes back from the floor is warm, light from above is cool.
  vec3 ambient = mix(vec3(0.30, 0.25, 0.23), vec3(0.36, 0.40, 0.48), 0.5 + 0.5 * n.y) * light.x;
  vec3 diffuse = base * (1.0 - 0.7 * metal) * (ambient + 2.2 * vec3(1.0, 0.95, 0.88) * key);

  vec3 mirrored = reflect(-v, n);
  float reach = mix(light.x, light.x * light.x, 0.5) * mix(0.35, 1.0, light.y * 0.5 + 0.5);
  vec3 f0 = mix(vec3(0.05), base, metal);
  vec3 specular = studio(mirrored, roughness * roughness) * reflectance(f0, roughness, facing) * reach;

  color = vec4(tone(diffuse + specular), 1.0);
}
