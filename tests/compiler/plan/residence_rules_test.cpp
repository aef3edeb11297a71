// SPDX-License-Identifier: MIT
#include "plan/residence_rules.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace heapsmith::plan {
namespace {

constexpr uint32_t kFragment = static_cast<uint32_t>(ShaderStage::Fragment);
constexpr uint32_t kRays =
    static_cast<uint32_t>(ShaderStage::RayGeneration) | static_cast<uint32_t>(ShaderStage::AnyHit) |
    static_cast<uint32_t>(ShaderStage::ClosestHit) | static_cast<uint32_t>(ShaderStage::Miss) |
    static_cast<uint32_t>(ShaderStage::Intersection) | static_cast<uint32_t>(ShaderStage::Callable);

constexpr Residence kTables[] = {Residence::Static, Residence::Indexed, Residence::Indirect,
                                 Residence::Scattered, Residence::Record};
constexpr Residence kData[] = {Residence::HeapData, Residence::PushData, Residence::RecordData};
constexpr Residence kAddresses[] = {Residence::PushAddress, Residence::IndirectAddress,
                                    Residence::RecordAddress};
constexpr DescriptorType kTypes[] = {
    DescriptorType::Sampler,
    DescriptorType::CombinedImageSampler,
    DescriptorType::SampledImage,
    DescriptorType::StorageImage,
    DescriptorType::UniformTexelBuffer,
    DescriptorType::StorageTexelBuffer,
    DescriptorType::UniformBuffer,
    DescriptorType::StorageBuffer,
    DescriptorType::InputAttachment,
    DescriptorType::AccelerationStructureKHR,
    DescriptorType::TensorARM,
};

reflect::ProgramBinding of(DescriptorType type) {
  return {.name = "b", .type = type};
}

std::string why(Residence residence, const reflect::ProgramBinding& binding,
                const ResidenceContext& context = {.programStages = kRays}) {
  return forbidden(residence, binding, context).value_or("");
}

TEST_CASE("rules: tables take everything") {
  for (const Residence residence : kTables) {
    for (const DescriptorType type : kTypes) {
      CAPTURE(to_string(residence), to_string(type));
      reflect::ProgramBinding binding = of(type);
      binding.arrayKind = ArrayKind::Runtime;
      binding.isWritten = binding.usesLength = binding.variablePointers = true;
      CHECK(why(residence, binding, {.programStages = kRays, .robustBufferAccess = true}).empty());
    }
  }
}

TEST_CASE("rules: shader records are for ray-tracing stages alone (12454)") {
  for (const Residence residence :
       {Residence::Record, Residence::RecordData, Residence::RecordAddress}) {
    const auto binding = of(DescriptorType::UniformBuffer);
    CHECK(why(residence, binding, {.programStages = kRays}).empty());
    for (const uint32_t stages : {kFragment, kFragment | kRays, 0x40u, 0x80u, 0x20u}) {
      CHECK(why(residence, binding, {.programStages = stages}) ==
            "only ray-tracing stages have a shader record (12454)");
    }
  }
  for (const Residence residence :
       {Residence::Indexed, Residence::PushData, Residence::PushAddress})
    CHECK(why(residence, of(DescriptorType::UniformBuffer), {.programStages = kFragment}).empty());
}

TEST_CASE("rules: bytes stand for a uniform block alone (11315)") {
  for (const Residence residence : kData) {
    for (const DescriptorType type : kTypes) {
      CAPTURE(to_string(residence), to_string(type));
      if (type == DescriptorType::UniformBuffer) {
        CHECK(why(residence, of(type)).empty());
      } else {
        CHECK(why(residence, of(type)) ==
              "only a uniform block's bytes can stand for its descriptor, not " +
                  std::string(to_string(type)) + " (11315)");
      }
    }
    for (const ArrayKind kind : {ArrayKind::Fixed, ArrayKind::Specialization, ArrayKind::Runtime}) {
      reflect::ProgramBinding array = of(DescriptorType::UniformBuffer);
      array.arrayKind = kind;
      CHECK(why(residence, array) == "an array needs descriptors (11315)");
    }
  }
}

TEST_CASE("rules: buffers and acceleration structures have addresses (11318)") {
  for (const Residence residence : kAddresses) {
    for (const DescriptorType type : kTypes) {
      CAPTURE(to_string(residence), to_string(type));
      const bool fits = type == DescriptorType::UniformBuffer ||
                        type == DescriptorType::StorageBuffer ||
                        type == DescriptorType::AccelerationStructureKHR;
      CHECK(why(residence, of(type)) ==
            (fits ? ""
                  : "only a buffer or an acceleration structure has an address, not " +
                        std::string(to_string(type)) + " (11318)"));
      reflect::ProgramBinding array = of(type);
      array.arrayKind = ArrayKind::Fixed;
      if (fits) CHECK(why(residence, array) == "an array needs descriptors (11318)");
    }
  }
}

TEST_CASE("rules: an address has neither length (11378) nor rivals (11387)") {
  for (const Residence residence : kAddresses) {
    reflect::ProgramBinding binding = of(DescriptorType::StorageBuffer);
    binding.isWritten = true;
    CHECK(why(residence, binding).empty());
    binding.usesLength = true;
    CHECK(why(residence, binding) ==
          "a shader asks for its length, which an address lacks (11378)");
    binding.usesLength = false;
    binding.variablePointers = true;
    CHECK(why(residence, binding) ==
          "the module declares variable pointers, which may pick it among other buffers (11387)");
  }
}

TEST_CASE("rules: robust accesses need bounds (11398)") {
  const ResidenceContext robust = {.programStages = kRays, .robustBufferAccess = true};
  for (const Residence residence : kAddresses) {
    CHECK(why(residence, of(DescriptorType::StorageBuffer), robust) ==
          "an address has no bounds, and the policy asks for robustBufferAccess (11398)");
    CHECK(why(residence, of(DescriptorType::AccelerationStructureKHR), robust).empty());
  }
  for (const Residence residence : kData) {
    CHECK(why(residence, of(DescriptorType::UniformBuffer), robust) ==
          "plain bytes have no bounds, and the policy asks for robustBufferAccess (11398)");
  }
}

}  // namespace
}  // namespace heapsmith::plan
