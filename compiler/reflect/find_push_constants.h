// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "reflect/block_layout.h"
#include "reflect/context.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

struct FoundPushConstants {
  uint32_t id = 0;  ///< the variable
  PushConstants pushConstants;
};

/// The module's push-constant blocks. One without a layout is reported and left out.
[[nodiscard]] std::vector<FoundPushConstants> find_push_constants(const Context& context,
                                                                  BlockLayouts& layouts);

}  // namespace heapsmith::reflect
