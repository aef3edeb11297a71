// SPDX-License-Identifier: MIT
#version 450

layout(set = 0, binding = 0) uniform Camera {
  mat4 viewProjection;
  mat4 inverseViewProjection;
  vec4 eye;
  vec4 keyDirection;
} camera;

layout(set = 3, binding = 0) uniform sampler2D floorLight;  // r: surroundings, g: key light

layout(location = 0) in vec2 clip;
layout(location = 0) out vec4 color;

const vec2 kFloorHalfExtent = vec2(8.0, 6.0);  // what floorLight covers, in world units

vec3 tone(vec3 linear) {
  return clamp(linear * (2.51 * linear + 0.03) / (linear * (2.43 * linear + 0.59) + 0.14), 0.0, 1.0);
}

// Keeps the gradients free of bands: noise of one step of the 8-bit image.
float dither(vec2 pixel) {
  return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
}

void main() {
  vec4 far = camera.inverseViewProjection * vec4(clip, 1.0, 1.0);
  vec3 ray = normalize(far.xyz / far.w - camera.eye.xyz);

  // The wall: bright behind the knots, falling off to the corners.
  vec2 glow = (clip - vec2(0.0, 0.15)) * vec2(0.75, 0.9);
  vec3 wall = mix(vec3(0.56, 0.545, 0.57), vec3(0.13, 0.15, 0.21), smoothstep(0.0, 1.4, length(glow)));

  vec3 result = wall;
  if (ray.y < 0.0) {
    vec3 at = camera.eye.xyz - ray * (camera.eye.y / ray.y);
    vec2 light = texture(floorLight, at.xz / kFloorHalfExtent * 0.5 + 0.5).rg;
    vec3 ground = vec3(0.66, 0.62, 0.59) *
                  (0.36 * vec3(0.95, 0.98, 1.06) * light.x + 0.62 * vec3(1.0, 0.96, 0.9) * light.y);
    ground *= mix(1.0, 0.45, smoothstep(2.0, 9.0, length(at.xz * vec2(0.8, 1.0))));
    // A studio has no horizon: the floor bends up into the wall.
    result = mix(ground, wall, smoothstep(-1.0, -6.5, at.z));
  }
  color = vec4(tone(result) + dither(gl_FragCoord.xy) / 255.0, 1.0);
}
