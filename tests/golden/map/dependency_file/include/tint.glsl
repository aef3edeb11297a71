vec4 tint() { return vec4(0.5); }
