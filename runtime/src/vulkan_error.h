// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include "text.h"

namespace heapsmith::detail {

[[nodiscard]] inline Error vulkan_error(std::string_view call, VkResult result) {
  return Error{ErrorCode::Vulkan, result,
               join(call, " returned VkResult ", std::to_string(static_cast<int32_t>(result)))};
}

}  // namespace heapsmith::detail
