// SPDX-License-Identifier: MIT
#include "input/sampler_json.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <format>
#include <optional>
#include <string>

#include "heapsmith/sampler_members.h"
#include "input/policy_json.h"

namespace heapsmith::input {
namespace {

std::string policy_of(const std::string& sampler) {
  return "{\"samplers\": {\n\"s\": " + sampler + "}}";
}

SamplerInfo read(const std::string& sampler) {
  Diagnostics diagnostics;
  const auto policy = parse_policy(policy_of(sampler), "policy.json", diagnostics);
  REQUIRE(policy);
  CHECK(diagnostics.all().empty());
  return policy->samplers.at("s");
}

/// "line:column: text", a line for each complaint.
std::string refusal(const std::string& sampler) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_policy(policy_of(sampler), "policy.json", diagnostics));
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    CHECK(diagnostic.code == Code::InvalidPolicy);
    all += std::format("{}{}:{}: {}", all.empty() ? "" : "\n", diagnostic.place.line,
                       diagnostic.place.column, diagnostic.text);
  }
  return all;
}

TEST_CASE("sampler JSON: an empty object is Vulkan's zeroes, and all mip levels") {
  const SamplerInfo sampler = read("{}");
  CHECK(sampler.magFilter == 0);
  CHECK(sampler.addressModeU == 0);
  CHECK(sampler.maxAnisotropy == 1);
  CHECK(sampler.maxLod == 1000);
  CHECK(sampler.reductionMode == 0);
  CHECK_FALSE(sampler.convertsYcbcr);
}

TEST_CASE("sampler JSON: every member arrives in its field") {
  const SamplerInfo s =
      read(R"({"flags": 4294967295, "magFilter": "LINEAR", "minFilter": "CUBIC_EXT",
    "mipmapMode": "LINEAR", "addressModeU": "MIRRORED_REPEAT", "addressModeV": "CLAMP_TO_EDGE",
    "addressModeW": "MIRROR_CLAMP_TO_EDGE", "mipLodBias": -1.5, "anisotropyEnable": true,
    "maxAnisotropy": 4, "compareEnable": true, "compareOp": "GREATER", "minLod": 0.25,
    "maxLod": 3, "borderColor": "INT_OPAQUE_WHITE"})");
  CHECK(s.flags == UINT32_MAX);
  CHECK(s.magFilter == 1);
  CHECK(s.minFilter == 1000015000);
  CHECK(s.mipmapMode == 1);
  CHECK(s.addressModeU == 1);
  CHECK(s.addressModeV == 2);
  CHECK(s.addressModeW == 4);
  CHECK(s.mipLodBias == -1.5f);
  CHECK(s.anisotropyEnable);
  CHECK(s.maxAnisotropy == 4);
  CHECK(s.compareEnable);
  CHECK(s.compareOp == 4);
  CHECK(s.minLod == 0.25f);
  CHECK(s.maxLod == 3);
  CHECK(s.borderColor == 5);
  const SamplerInfo flat = read(R"({"unnormalizedCoordinates": true, "maxLod": 0,
    "addressModeU": "CLAMP_TO_BORDER", "addressModeV": "CLAMP_TO_EDGE", "reductionMode": "MAX"})");
  CHECK(flat.unnormalizedCoordinates);
  CHECK(flat.reductionMode == 2);
}

TEST_CASE("sampler JSON: border colours are the bits of VkClearColorValue") {
  const SamplerInfo real = read(R"({"borderColor": "FLOAT_CUSTOM_EXT", "customBorderColor": {
    "format": "R8G8B8A8_UNORM", "float32": [1, -0.5, 0, 3.4e38]}})");
  CHECK(real.borderColor == kFloatCustomBorderColor);
  CHECK(real.customBorderColorFormat == 37);
  CHECK(real.customBorderColor[0] == 0x3F800000);
  CHECK(real.customBorderColor[1] == 0xBF000000);
  CHECK(real.customBorderColor[2] == 0);
  CHECK(std::bit_cast<float>(real.customBorderColor[3]) == 3.4e38f);
  const SamplerInfo whole = read(R"({"borderColor": "INT_CUSTOM_EXT", "customBorderColor": {
    "int32": [-1, 2147483647, -2147483648, 7]}})");
  CHECK(whole.customBorderColorFormat == 0);
  CHECK(whole.customBorderColor[0] == UINT32_MAX);
  CHECK(whole.customBorderColor[1] == INT32_MAX);
  CHECK(whole.customBorderColor[2] == 0x80000000);
  CHECK(whole.customBorderColor[3] == 7);
}

TEST_CASE("sampler JSON: conversions") {
  const SamplerInfo s = read(R"({"addressModeU": "CLAMP_TO_EDGE", "addressModeV": "CLAMP_TO_EDGE",
    "addressModeW": "CLAMP_TO_EDGE", "ycbcrConversion": {"format": "G8_B8R8_2PLANE_420_UNORM",
    "ycbcrModel": "YCBCR_2020", "ycbcrRange": "ITU_NARROW", "components": ["A", "ONE", "ZERO", "R"],
    "xChromaOffset": "MIDPOINT", "yChromaOffset": "MIDPOINT", "chromaFilter": "LINEAR",
    "forceExplicitReconstruction": true}})");
  REQUIRE(s.convertsYcbcr);
  CHECK(s.conversion.format == 1000156003);
  CHECK(s.conversion.ycbcrModel == 4);
  CHECK(s.conversion.ycbcrRange == 1);
  CHECK(s.conversion.components[0] == 6);
  CHECK(s.conversion.components[1] == 2);
  CHECK(s.conversion.components[2] == 1);
  CHECK(s.conversion.components[3] == 3);
  CHECK(s.conversion.xChromaOffset == 1);
  CHECK(s.conversion.yChromaOffset == 1);
  CHECK(s.conversion.chromaFilter == 1);
  CHECK(s.conversion.forceExplicitReconstruction);
}

TEST_CASE("sampler JSON: what is wrong is refused, once, where it stands") {
  struct Case {
    const char* sampler;
    const char* expected;  ///< what the complaint begins with
  };
  const Case cases[] = {
      {"[]", "2:6: /samplers/s: "},
      {R"({"filter": "LINEAR"})", "2:7: /samplers/s/filter: unknown key"},
      {R"({"magFilter": 1})", "2:20: /samplers/s/magFilter: "},
      {R"({"magFilter": "SHARP"})",
       "2:20: /samplers/s/magFilter: must be 'NEAREST', 'LINEAR' or 'CUBIC_EXT'"},
      {R"({"flags": -1})", "2:16: /samplers/s/flags: "},
      {R"({"mipLodBias": "0"})", "2:21: /samplers/s/mipLodBias: "},
      {R"({"maxLod": 3.5e38})", "2:17: /samplers/s/maxLod: must fit into a 32-bit float"},
      {R"({"compareEnable": 1})", "2:24: /samplers/s/compareEnable: "},
      {R"({"borderColor": "FLOAT_CUSTOM_EXT"})", "2:6: /samplers/s: lacks the key"},
      {R"({"customBorderColor": {"float32": [0, 0, 0, 0]}})",
       "2:7: /samplers/s/customBorderColor: unknown key"},
      {R"({"borderColor": "FLOAT_CUSTOM_EXT", "customBorderColor": {"int32": [0, 0, 0, 0]}})",
       "2:63: /samplers/s/customBorderColor: lacks the key 'float32'"},
      {R"({"borderColor": "INT_CUSTOM_EXT", "customBorderColor": {"int32": [0, 0, 0]}})",
       "2:71: /samplers/s/customBorderColor/int32: must be a list of 4"},
      {R"({"borderColor": "INT_CUSTOM_EXT", "customBorderColor": {"int32": [2147483648, 0, 0, 0]}})",
       "2:72: /samplers/s/customBorderColor/int32/0: must be a 32-bit integer"},
      {R"({"borderColor": "INT_CUSTOM_EXT", "customBorderColor": {"int32": [0, 0.5, 0, 0]}})",
       "2:75: /samplers/s/customBorderColor/int32/1: must be a 32-bit integer"},
      {R"({"minLod": 2, "maxLod": 1})", "2:6: /samplers/s: minLod is above maxLod (01973)"},
      {R"({"anisotropyEnable": true, "maxAnisotropy": 0.5})",
       "2:6: /samplers/s: maxAnisotropy is below 1 (01071)"},
      {R"({"compareEnable": true, "reductionMode": "MIN"})",
       "2:6: /samplers/s: a comparing sampler has no reductionMode (01423)"},
      {R"({"unnormalizedCoordinates": true, "maxLod": 0, "addressModeU": "CLAMP_TO_EDGE"})",
       "2:6: /samplers/s: unnormalized coordinates need clamping address modes (01075)"},
      {R"({"ycbcrConversion": {"format": "G8_B8R8_2PLANE_420_UNORM"}})",
       "2:6: /samplers/s: a conversion needs address modes CLAMP_TO_EDGE"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sampler);
    const std::string complaint = refusal(c.sampler);
    CAPTURE(complaint);
    CHECK(complaint.substr(0, std::string(c.expected).size()) == c.expected);
  }
}

TEST_CASE("sampler JSON: all that unnormalized coordinates forbid") {
  CHECK(refusal(R"({"unnormalizedCoordinates": true, "magFilter": "LINEAR", "mipmapMode": "LINEAR",
                    "anisotropyEnable": true, "compareEnable": true})") ==
        "2:6: /samplers/s: unnormalized coordinates need equal filters (01072)\n"
        "2:6: /samplers/s: unnormalized coordinates need mipmapMode NEAREST (01073)\n"
        "2:6: /samplers/s: unnormalized coordinates need both lods 0 (01074)\n"
        "2:6: /samplers/s: unnormalized coordinates need clamping address modes (01075)\n"
        "2:6: /samplers/s: unnormalized coordinates and anisotropy exclude each other (01076)\n"
        "2:6: /samplers/s: unnormalized coordinates and comparison exclude each other (01077)");
}

}  // namespace
}  // namespace heapsmith::input
