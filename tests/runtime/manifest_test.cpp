// SPDX-License-Identifier: MIT
#include "heapsmith/manifest.h"

#include <catch2/catch_test_macros.hpp>

#include "heapsmith/error.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;

TEST_CASE("look-ups and names") {
  CHECK(find_table(sample::kManifest, "material").index == 1);
  CHECK(find_table(sample::kManifest, "none").index == kNone);
  CHECK(find_binding(sample::kManifest, "material", "factors").index == 4);
  CHECK(find_binding(sample::kManifest, "frame", "factors").index == kNone);
  CHECK(find_binding(sample::kManifest, "none", "factors").index == kNone);
  CHECK(find_program(sample::kManifest, "knot").index == 0);
  CHECK(find_field(sample::kManifest, "materialSampler").index == 1);
  CHECK(find_external_range(sample::kManifest, "imgui").index == 0);
  CHECK(to_string(DescriptorType::AccelerationStructureKHR) == "ACCELERATION_STRUCTURE_KHR");
  CHECK(to_string(MappingSource::HeapWithPushIndex) == "HEAP_WITH_PUSH_INDEX");
  CHECK(to_string(ShaderStage::RayGeneration) == "RAYGEN_KHR");
  CHECK(to_string(SpirvResourceType::TensorARM) == "TENSOR_ARM");
  CHECK(to_string(ErrorCode::InvalidPipeline) == "InvalidPipeline");
}
