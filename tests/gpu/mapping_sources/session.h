// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <array>

#include "support/hand_heaps.h"
#include "support/launch.h"
#include "support/pipelines.h"

/// What the tests of mapping sources share.
namespace mapping_sources {

using gpu_test::HandHeaps;
using gpu_test::Mapping;
using gpu_test::Mappings;
using gpu_test::PushData;
using gpu_test::Results;
using gpu_test::Slots;
using gpu_test::TestDevice;

/// A test's device. A message of the validation layer fails the test.
class Session : public TestDevice {
 public:
  explicit Session(const example::GpuOptions& options = {})
      : TestDevice("mapping_sources", options) {}
  ~Session() { CHECK(finish() == 0); }

  /// One of this folder's shaders.
  [[nodiscard]] VkShaderModule shader(const char* name);
  [[nodiscard]] static std::filesystem::path shader_file(const char* name);
};

/// Lets every shader write `results`: through a descriptor, at set 1, binding 0.
[[nodiscard]] Mapping map_results(HandHeaps& heaps, const Results& results);

using Payload = std::array<uint32_t, 4>;

/// Uniform buffers of which the k-th is uvec4(k), each behind a descriptor of its own: what a
/// shader reads tells where it read.
struct NumberedBlocks {
  example::UniformArray buffers;
  Slots slots;

  NumberedBlocks(Session& session, HandHeaps& heaps, uint32_t count);
};

}  // namespace mapping_sources
