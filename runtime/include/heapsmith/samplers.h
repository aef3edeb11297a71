// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "heapsmith/device.h"
#include "heapsmith/writer.h"

namespace heapsmith {

/// A manifest's samplers as Vulkan takes them, with the objects that they name. Plain data: nothing
/// is hidden. Moving keeps the pointers between the structs, copying would not.
struct Samplers {
  Samplers() = default;
  Samplers(Samplers&&) noexcept = default;
  Samplers& operator=(Samplers&&) noexcept = default;

  /// Parallel to Manifest::samplers. As mappings embed them, and as the sampler heap takes them.
  std::vector<VkSamplerCreateInfo> embedded;
  std::vector<VkSamplerCreateInfo> inHeap;
  /// For the views of images that the sampler reads; VK_NULL_HANDLE where it converts nothing.
  std::vector<VkSamplerYcbcrConversion> conversions;

  struct BorderColor {
    uint32_t sampler = 0;  ///< index into Manifest::samplers
    uint32_t index = 0;    ///< as vkRegisterCustomBorderColorEXT gave it
  };
  std::vector<BorderColor> borderColors;

  // What the create-infos point to.
  std::vector<VkSamplerReductionModeCreateInfo> reductions;
  std::vector<VkSamplerYcbcrConversionInfo> conversionInfos;
  std::vector<VkSamplerCustomBorderColorCreateInfoEXT> borderColorInfos;  ///< as `borderColors`
  std::vector<VkSamplerCustomBorderColorIndexCreateInfoEXT> borderColorIndices;
};

/// Creates the conversions (feature samplerYcbcrConversion) and registers the custom border colours
/// (VK_EXT_custom_border_color) that the manifest's samplers need; a manifest without either calls
/// nothing. Fails with MissingExtension where a function is not loaded, and with Vulkan; then
/// nothing is left behind. Any thread.
[[nodiscard]] Result<Samplers> create_samplers(const Device& device, const Manifest& manifest);

/// Destroys and unregisters what create_samplers() made. No pipeline with an embedded sampler, and
/// no image view description, may use it any more.
void destroy_samplers(const Device& device, Samplers& samplers) noexcept;

/// Writes all samplers of SamplerPlacement::Immutable. Records only: flush() the writer. Fails as
/// DescriptorWriter::sampler does.
[[nodiscard]] Status write_immutable_samplers(DescriptorWriter& writer, const Manifest& manifest,
                                              const ResolvedLayout& layout,
                                              const Samplers& samplers);

/// The index in Manifest::samplers of one element's immutable sampler; kNone if the binding has
/// none.
[[nodiscard]] uint32_t immutable_sampler(const Manifest& manifest, BindingId binding,
                                         uint32_t element) noexcept;

}  // namespace heapsmith
