// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/pipeline.h>

#include <optional>
#include <span>

#include "heapsmith/manifest.h"
#include "launcher.h"

namespace equality {

/// One form of a scene's shader, and what an application knows of it.
struct HeapShader {
  std::span<const uint32_t> words;
  /// Of the same heaps. It has the form's mappings, which may be fewer than those that the heaps
  /// were made for (what is rewritten needs none), and the constants that it is told.
  const heapsmith::Manifest& manifest;
  const char* entryPoint = nullptr;  ///< null: as in its source
  uint32_t slotsAmiss = 0;           ///< what it is told of where regions begin is wrong by so much
};

/// A manifest's heaps with a scene's resources in one instance of every table, the second where
/// there are several. The other instances, and external ranges, hold null descriptors and samplers
/// that fit nothing. They serve mapped and rewritten shaders.
class SceneHeaps {
 public:
  /// All is borrowed.
  SceneHeaps(Arena& arena, const heapsmith::Device& device, const Scene& scene,
             const Resources& resources, const heapsmith::Manifest& manifest);

  [[nodiscard]] heapsmith::Result<Form> make_form(Launcher& launcher,
                                                  const HeapShader& shader) const;

 private:
  void write(heapsmith::DescriptorWriter& writer, size_t binding);
  void write_element(heapsmith::DescriptorWriter& writer, heapsmith::BindingId id,
                     const SceneBinding& binding, const BindingResources& shown, uint32_t element,
                     uint32_t instance);
  void write_guards() const;
  void fill_fields();

  Arena& arena_;
  heapsmith::Device device_;
  const Scene& scene_;
  const Resources& resources_;
  const heapsmith::Manifest& manifest_;
  heapsmith::ResolvedLayout layout_;
  heapsmith::Heaps heaps_;
  std::vector<std::byte> push_;  ///< all push data that shaders or mappings read
};

}  // namespace equality
