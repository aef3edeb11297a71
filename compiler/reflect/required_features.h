// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// What a device must have enabled for a module with these capabilities, in their order, each once.
/// DescriptorHeapEXT brings UntypedPointersKHR along.
[[nodiscard]] std::vector<RequiredFeature> required_features(
    std::span<const std::string> capabilities);

}  // namespace heapsmith::reflect
