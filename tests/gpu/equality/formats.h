// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "reflect/shader_interface.h"

namespace equality {

/// A format, and how to make up texels of it.
struct TexelFormat {
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t bytes = 16;         ///< of a texel
  std::string_view component;  ///< as put_number() takes it: texels are rows of them
};

/// What a view of the declared image type must have: the storage format that it declares, else four
/// (for atomics: one) components of its sampled type. Depth where texels are compared.
[[nodiscard]] std::optional<TexelFormat> format_of(const heapsmith::reflect::ImageFacts& image,
                                                   bool comparison, bool usesAtomics);

/// For attachments: four components of "float32", "int32" ...; nothing for other types.
[[nodiscard]] std::optional<VkFormat> attachment_format(std::string_view scalar);

}  // namespace equality
