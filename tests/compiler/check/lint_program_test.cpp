// SPDX-License-Identifier: MIT
#include "check/lint_program.h"

#include <catch2/catch_test_macros.hpp>
#include <format>

#include "lint_sample.h"

namespace heapsmith::check {
namespace {

std::string embedding(uint32_t binding, const std::string& sampler) {
  return std::format(R"({{"firstBinding": {}, "source": "HEAP_WITH_CONSTANT_OFFSET",)"
                     R"( "resourceMask": ["SAMPLER"], "embeddedSampler": {}}},)",
                     binding, sampler);
}

std::string lint_samplers(std::initializer_list<const char*> samplers) {
  std::string mappings;
  uint32_t binding = 0;
  for (const char* const sampler : samplers)
    mappings += embedding(binding++, sampler);
  mappings.pop_back();
  return lint_text({}, mappings);
}

// sample_limits() allows two.
TEST_CASE("lint: embedded samplers beyond the device's number (11429)") {
  CHECK(lint_samplers({R"({"maxLod": 1})", R"({"maxLod": 2})"}).empty());
  CHECK(lint_samplers({R"({"maxLod": 1})", R"({"maxLod": 2})", R"({"maxLod": 3})"}) ==
        "error HS5011 : this is one embedded sampler more than maxDescriptorHeapEmbeddedSamplers, "
        "2 (11429)\n");
}

TEST_CASE("lint: equal samplers count once, every member tells them apart") {
  CHECK(lint_samplers({R"({"maxLod": 1})", R"({"maxLod": 2})", R"({"maxLod": 1.0, "minLod": 0})"})
            .empty());
  const char* const edges =
      R"("addressModeU": "CLAMP_TO_EDGE", "addressModeV": "CLAMP_TO_EDGE",
         "addressModeW": "CLAMP_TO_EDGE")";
  const std::string first =
      std::format(R"({{{}, "ycbcrConversion": {{"format": "G8_B8R8_2PLANE_420_UNORM"}}}})", edges);
  for (const char* const other :
       {R"("format": "G8_B8R8_2PLANE_422_UNORM")",
        R"("format": "G8_B8R8_2PLANE_420_UNORM", "ycbcrRange": "ITU_NARROW")",
        R"("format": "G8_B8R8_2PLANE_420_UNORM", "components": ["R", "G", "B", "ONE"])",
        R"("format": "G8_B8R8_2PLANE_420_UNORM", "forceExplicitReconstruction": true)"}) {
    const std::string second = std::format(R"({{{}, "ycbcrConversion": {{{}}}}})", edges, other);
    CAPTURE(second);
    CHECK(lint_samplers({first.c_str(), first.c_str(), "{}", second.c_str()}).find("(11429)") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace heapsmith::check
