// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <heapsmith/resolve.h>
#include <heapsmith/samplers.h>
#include <heapsmith/writer.h>

#include <optional>

#include "common/check.h"
#include "shaders.h"
#include "support/launch.h"

/// What the tests of this folder share: one manifest, in a generated header, of all its programs.
namespace mapped_shaders {

using example::check;
using example::checked;

/// A device with the manifest's heaps. A message of the validation layer fails the test.
class Session : public gpu_test::TestDevice {
 public:
  explicit Session(const example::GpuOptions& options = {});
  ~Session();

  [[nodiscard]] heapsmith::DescriptorWriter& writer() { return *writer_; }
  [[nodiscard]] const heapsmith::ResolvedLayout& layout() const { return *layout_; }
  [[nodiscard]] const heapsmith::Heaps& heaps() const { return *heaps_; }
  [[nodiscard]] const heapsmith::Samplers& samplers() const { return *samplers_; }

  [[nodiscard]] VkPipeline pipeline(heapsmith::ProgramId program);

  /// Points instance and element of a uniform buffer binding at a block that begins with `number`.
  void write_number(heapsmith::BindingId binding, uint32_t element, uint32_t instance,
                    uint32_t number);

  /// Flushes the writer, runs one workgroup, and yields the first `count` results.
  [[nodiscard]] std::vector<uint32_t> run(VkPipeline pipeline, const gpu_test::PushData& push,
                                          uint32_t count);

  gpu_test::Results results{*this, 16};

 private:
  std::optional<heapsmith::ResolvedLayout> layout_;
  std::optional<heapsmith::Heaps> heaps_;
  std::optional<heapsmith::Samplers> samplers_;
  std::optional<heapsmith::DescriptorWriter> writer_;
};

}  // namespace mapped_shaders
