// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "scene.h"

namespace equality {

/// A vertex shader whose triangle covers the whole viewport, and that gives a fragment shader all
/// its inputs: numbers that differ by location, component and vertex. Fails with a reason.
[[nodiscard]] std::expected<std::vector<uint32_t>, std::string> cover_shader(const Scene& scene);

}  // namespace equality
