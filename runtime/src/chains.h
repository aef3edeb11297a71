// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include "heapsmith/error.h"
#include "heapsmith/writer.h"

/// Copies of the pNext structs that a descriptor may depend on. A struct that is not known here
/// cannot be copied, since nothing tells its size; leaving it out would write another descriptor
/// than was asked for.
namespace heapsmith::detail {

/// The view itself, without its chain. Fails with InvalidDescriptor.
[[nodiscard]] Status check(const VkImageViewCreateInfo& view);

/// Copies a view's chain. Fails with InvalidDescriptor.
[[nodiscard]] Status copy_chain(const void* viewNext, ImageChain& chain);

/// Checks a sampler, and copies its chain. Fails with InvalidDescriptor.
[[nodiscard]] Status copy_chain(const VkSamplerCreateInfo& sampler, SamplerChain& chain);

/// Links the copies that are present, and yields the first. They must stay where they are.
[[nodiscard]] const void* link(ImageChain& chain) noexcept;
[[nodiscard]] const void* link(SamplerChain& chain) noexcept;

}  // namespace heapsmith::detail
