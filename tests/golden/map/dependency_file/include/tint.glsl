vec4 tint() { return vec4(HALF); }
