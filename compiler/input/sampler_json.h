// SPDX-License-Identifier: MIT
#pragma once

#include "heapsmith/manifest.h"
#include "input/json_object.h"
#include "input/json_text.h"

namespace heapsmith::input {

/// A sampler of a policy: the members of VkSamplerCreateInfo, all optional, and what may be chained
/// to it. What is missing is as in a zeroed create-info, but for maxLod (VK_LOD_CLAMP_NONE).
/// Combinations that Vulkan forbids are reported with their VUID.
[[nodiscard]] SamplerInfo read_sampler(const JsonValue& value, JsonErrors& errors);

}  // namespace heapsmith::input
