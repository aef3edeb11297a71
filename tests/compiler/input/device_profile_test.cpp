// SPDX-License-Identifier: MIT
#include "input/device_profile.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

namespace heapsmith::input {
namespace {

const std::string kGood = R"({
  "name": "mine",
  "device": {"name": "A card", "driver": "a driver"},
  "descriptorHeapProperties": {
    "samplerHeapAlignment": 4,
    "resourceHeapAlignment": 8,
    "maxSamplerHeapSize": 100000,
    "maxResourceHeapSize": 18446744073709551615,
    "minSamplerHeapReservedRange": 1,
    "minSamplerHeapReservedRangeWithEmbedded": 2,
    "minResourceHeapReservedRange": 3,
    "samplerDescriptorSize": 16,
    "imageDescriptorSize": 32,
    "bufferDescriptorSize": 64,
    "samplerDescriptorAlignment": 4,
    "imageDescriptorAlignment": 8,
    "bufferDescriptorAlignment": 16,
    "maxPushDataSize": 256,
    "imageCaptureReplayOpaqueDataSize": 0,
    "maxDescriptorHeapEmbeddedSamplers": 2048,
    "samplerYcbcrConversionCount": 3,
    "sparseDescriptorHeaps": false,
    "protectedDescriptorHeaps": true
  },
  "descriptorHeapTensorProperties": {
    "tensorDescriptorSize": 128,
    "tensorDescriptorAlignment": 32,
    "tensorCaptureReplayOpaqueDataSize": 0
  },
  "descriptorSizes": {"UNIFORM_BUFFER": 16},
  "limits": {"nonCoherentAtomSize": 64}
})";

std::string with(const std::string& what, const std::string& instead) {
  std::string text = kGood;
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), instead);
}

/// "code line: text" of the one error.
std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_device_profile(text, "mine.json", diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  const Diagnostic& error = diagnostics.all().front();
  CHECK(error.place.file == "mine.json");
  return code_text(error.code) + " " + std::to_string(error.place.line) + ": " + error.text;
}

TEST_CASE("device profile: every limit arrives in its field") {
  Diagnostics diagnostics;
  const Diagnosed<DeviceProfile> profile = parse_device_profile(kGood, "mine.json", diagnostics);
  REQUIRE(profile);
  CHECK(diagnostics.all().empty());
  CHECK(profile->name == "mine");
  CHECK(profile->description == "A card (a driver)");
  const DeviceLimits& limits = profile->limits;
  CHECK(limits.samplerHeapAlignment == 4);
  CHECK(limits.resourceHeapAlignment == 8);
  CHECK(limits.maxSamplerHeapSize == 100000);
  CHECK(limits.maxResourceHeapSize == UINT64_MAX);
  CHECK(limits.minSamplerHeapReservedRange == 1);
  CHECK(limits.minSamplerHeapReservedRangeWithEmbedded == 2);
  CHECK(limits.minResourceHeapReservedRange == 3);
  CHECK(limits.samplerDescriptorSize == 16);
  CHECK(limits.imageDescriptorSize == 32);
  CHECK(limits.bufferDescriptorSize == 64);
  CHECK(limits.tensorDescriptorSize == 128);
  CHECK(limits.samplerDescriptorAlignment == 4);
  CHECK(limits.imageDescriptorAlignment == 8);
  CHECK(limits.bufferDescriptorAlignment == 16);
  CHECK(limits.tensorDescriptorAlignment == 32);
  CHECK(limits.maxPushDataSize == 256);
  CHECK(limits.maxDescriptorHeapEmbeddedSamplers == 2048);
  CHECK(limits.samplerYcbcrConversionCount == 3);
}

TEST_CASE("device profile: limits that bound mappings have careful defaults") {
  const auto limits_of = [](const std::string& limits) {
    Diagnostics diagnostics;
    const auto profile =
        parse_device_profile(with("\"nonCoherentAtomSize\": 64", limits), "mine.json", diagnostics);
    REQUIRE(profile);
    return profile->limits;
  };
  const DeviceLimits unknown = limits_of("");
  CHECK(unknown.minUniformBufferOffsetAlignment == 256);
  CHECK(unknown.minStorageBufferOffsetAlignment == 256);
  CHECK(unknown.maxShaderRecordSize == 0);
  const DeviceLimits known = limits_of(
      R"("minUniformBufferOffsetAlignment": 64, "minStorageBufferOffsetAlignment": 4,
         "maxShaderGroupStride": 4096, "shaderGroupHandleSize": 16)");
  CHECK(known.minUniformBufferOffsetAlignment == 64);
  CHECK(known.minStorageBufferOffsetAlignment == 4);
  CHECK(known.maxShaderRecordSize == 4080);
  CHECK(limits_of(R"("maxShaderGroupStride": 4096)").maxShaderRecordSize == 4064);
  CHECK(limits_of(R"("maxShaderGroupStride": 8)").maxShaderRecordSize == 0);
  CHECK(refusal(with("\"nonCoherentAtomSize\": 64", "\"minUniformBufferOffsetAlignment\": 48"))
            .contains("minUniformBufferOffsetAlignment is 48, which is no power of two"));
}

TEST_CASE("device profile: what is wrong is named") {
  CHECK(refusal(with("\"name\": \"mine\",", "")) == "HS1013 1: the document lacks the key 'name'");
  CHECK(refusal(with("\"imageDescriptorSize\": 32,", "")) ==
        "HS1013 4: /descriptorHeapProperties: lacks the key 'imageDescriptorSize'");
  CHECK(refusal(with("\"limits\"", "\"limit\"")) ==
        "HS1013 31: /limit: unknown key; did you mean 'limits'?");
  CHECK(
      refusal(with("UNIFORM_BUFFER", "VK_UNIFORM_BUFFER")) ==
      "HS1013 30: /descriptorSizes/VK_UNIFORM_BUFFER: unknown key; did you mean 'UNIFORM_BUFFER'?");
  CHECK(refusal(with("\"maxPushDataSize\": 256", "\"maxPushDataSize\": -256")) ==
        "HS1013 18: /descriptorHeapProperties/maxPushDataSize: must be an integer of at least 0");
  CHECK(refusal(with("256", "256.0")) ==
        "HS1013 18: /descriptorHeapProperties/maxPushDataSize: must be an integer of at least 0");
  CHECK(refusal(with("2048", "4294967296")) ==
        "HS1013 20: /descriptorHeapProperties/maxDescriptorHeapEmbeddedSamplers: "
        "must be an integer from 0 to 4294967295");
  CHECK(refusal(with("false", "0")) ==
        "HS1013 22: /descriptorHeapProperties/sparseDescriptorHeaps: must be true or false, not a "
        "number");
  CHECK(refusal("[]") == "HS1013 1: the document must be an object, not an array");
  CHECK(refusal("{").starts_with("HS1011 1: "));
}

TEST_CASE("device profile: limits that Vulkan forbids are refused by name") {
  CHECK(refusal(with("\"imageDescriptorSize\": 32", "\"imageDescriptorSize\": 48")) ==
        "HS1013 4: /descriptorHeapProperties: the device's imageDescriptorSize is 48, which is no "
        "power of two");
  CHECK(refusal(with("\"bufferDescriptorAlignment\": 16", "\"bufferDescriptorAlignment\": 128"))
            .find("bufferDescriptorAlignment") != std::string::npos);
  CHECK(refusal(with("\"samplerHeapAlignment\": 4", "\"samplerHeapAlignment\": 0"))
            .find("samplerHeapAlignment") != std::string::npos);
}

TEST_CASE("device profile: every built-in one loads, and is called as it says") {
  const std::vector<std::string_view> names = built_in_profiles();
  CHECK(names.size() == 36);
  CHECK(std::ranges::is_sorted(names));
  for (const std::string_view name : names) {
    CAPTURE(name);
    Diagnostics diagnostics;
    const Diagnosed<DeviceProfile> profile = load_device_profile(std::string(name), diagnostics);
    REQUIRE(profile);
    CHECK(profile->name == name);
    CHECK(profile->limits.maxPushDataSize >= 256);
  }
}

TEST_CASE("device profile: an unknown name is answered with near ones") {
  Diagnostics diagnostics;
  CHECK_FALSE(load_device_profile("radv_navi3", diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::InvalidProfile);
  CHECK(diagnostics.all()[0].text ==
        "neither a built-in device profile nor a file is called 'radv_navi3'; "
        "did you mean 'radv_navi31', 'radv_navi33' or 'radv_navi10'?");
}

TEST_CASE("device profile: a file that is not there") {
  Diagnostics diagnostics;
  CHECK_FALSE(load_device_profile("no/such/profile.json", diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == Code::FileNotFound);
  CHECK(diagnostics.all()[0].place.file == "no/such/profile.json");
}

}  // namespace
}  // namespace heapsmith::input
