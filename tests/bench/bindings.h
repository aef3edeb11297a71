// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/device_limits.h>
#include <volk.h>

#include <cstdint>
#include <vector>

#include "pipelines_create.h"

/// The descriptors of a program without heapsmith's plan: what an application has today, and what
/// it would do by hand tomorrow.
namespace bench {

struct Binding {
  uint32_t set = 0;
  uint32_t binding = 0;
  heapsmith::DescriptorType type{};
  uint32_t count = 1;  ///< elements
  bool isTwoVariables =
      false;  ///< an image and a sampler: what CombinedImageSampler serves in sets
};

struct Bindings {
  std::vector<Binding> all;  ///< ascending by set, then binding
  uint32_t pushBytes = 0;    ///< of push constants
  /// Those for whose shaders AMD's driver, as of Mesa 26.2, does worse with heaps than with
  /// variables, whatever a rewriter does: of a storage image or texel buffer in a heap it does not
  /// know that nobody writes it, that it is coherent or volatile. Who writes nothing loses nothing.
  uint32_t limitedStages = 0;
};

/// What the stages declare; an unbounded array gets as many elements as heapsmith gives it without
/// a policy.
[[nodiscard]] Bindings bindings_of(const corpus::Stages& stages);

/// Every descriptor at a constant offset: in the resource heap images, one behind the other, then
/// buffers from the next multiple of a buffer descriptor's size; samplers from the start of theirs.
[[nodiscard]] std::vector<VkDescriptorSetAndBindingMappingEXT> map_by_hand(
    const Bindings& bindings, const heapsmith::DeviceLimits& limits);

/// A pipeline layout of descriptor sets.
class SetLayout {
 public:
  SetLayout(const corpus::Gpu& gpu, const Bindings& bindings);
  ~SetLayout();
  SetLayout(const SetLayout&) = delete;
  SetLayout& operator=(const SetLayout&) = delete;

  /// Null where the driver would not have it.
  [[nodiscard]] VkPipelineLayout layout() const { return layout_; }

 private:
  const corpus::Gpu& gpu_;
  std::vector<VkDescriptorSetLayout> sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

}  // namespace bench
