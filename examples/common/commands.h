// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"

namespace example {

/// A command buffer that is being recorded, to be handed to submit_and_wait().
[[nodiscard]] VkCommandBuffer begin_commands(const Gpu& gpu);

/// Ends it, runs it, waits, makes what it wrote visible to the host, and frees it.
void submit_and_wait(const Gpu& gpu, VkCommandBuffer commands);

}  // namespace example
