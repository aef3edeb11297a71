// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "launcher.h"

namespace equality {

/// The shader as it is, with descriptor sets and push constants: Vulkan 1.0, nothing of ours.
[[nodiscard]] heapsmith::Result<Form> make_set_form(Arena& arena, const Scene& scene,
                                                    const Resources& resources, Launcher& launcher,
                                                    std::span<const uint32_t> words);

}  // namespace equality
