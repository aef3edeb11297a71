// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/heaps.h>
#include <heapsmith/resolve.h>

#include <array>

#include "pipeline_state.h"
#include "scene.h"

namespace knots {

/// The scene, drawn from descriptor heaps: the same shaders, no descriptor sets, no layouts, no
/// views, no samplers.
struct HeapRenderer {
  heapsmith::Device device;
  heapsmith::ResolvedLayout layout;
  heapsmith::Heaps heaps;
  std::array<uint32_t, kKnots> samplerTuples{};  ///< by material
  VkPipeline backdrop = VK_NULL_HANDLE;
  VkPipeline knot = VK_NULL_HANDLE;
};

/// `gpu` must neither move nor die before the renderer.
[[nodiscard]] HeapRenderer create_heap_renderer(const example::Gpu& gpu, const Shaders& shaders,
                                                const Scene& scene, VkSampleCountFlagBits samples);
void destroy_heap_renderer(const example::Gpu& gpu, HeapRenderer& renderer);

/// Between begin_drawing() and end_drawing(). Binds the heaps once; draws differ in three words of
/// push data.
void draw(VkCommandBuffer commands, const HeapRenderer& renderer, const Scene& scene);

}  // namespace knots
