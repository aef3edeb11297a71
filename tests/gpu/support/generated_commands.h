// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <heapsmith/heaps.h>

#include "support/launch.h"

namespace gpu_test {

/// One workgroup, as the words at `sequenceOffset` say.
[[nodiscard]] VkIndirectCommandsLayoutTokenEXT dispatch_token(uint32_t sequenceOffset);

/// Runs the sequences that `words` hold, each as the tokens say, with a compute pipeline.
void run_generated(TestDevice& device, const heapsmith::Heaps& heaps, const PushData& push,
                   VkPipeline pipeline, std::span<const VkIndirectCommandsLayoutTokenEXT> tokens,
                   std::span<const uint32_t> words, uint32_t sequences);

}  // namespace gpu_test
