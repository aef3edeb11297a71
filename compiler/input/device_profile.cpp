// SPDX-License-Identifier: MIT
#include "input/device_profile.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <format>
#include <iterator>
#include <span>
#include <system_error>

#include "input/close_names.h"
#include "input/json_object.h"
#include "input/json_text.h"
#include "input/read_file.h"

namespace heapsmith::input {
namespace {

struct BuiltInProfile {
  std::string_view name;
  std::string_view json;
};

// One line for each file of compiler/profiles, by name: written by CMakeLists.txt.
constexpr BuiltInProfile kBuiltIn[] = {
#include "built_in_profiles.inc"
};

constexpr std::array<std::string_view, 9> kSizedTypes = {"SAMPLER",
                                                         "SAMPLED_IMAGE",
                                                         "STORAGE_IMAGE",
                                                         "UNIFORM_TEXEL_BUFFER",
                                                         "STORAGE_TEXEL_BUFFER",
                                                         "UNIFORM_BUFFER",
                                                         "STORAGE_BUFFER",
                                                         "INPUT_ATTACHMENT",
                                                         "ACCELERATION_STRUCTURE_KHR"};

constexpr std::array<std::string_view, 9> kOtherLimits = {
    "maxPushConstantsSize",          "maxBoundDescriptorSets",
    "maxSamplerAllocationCount",     "maxPerStageDescriptorSampledImages",
    "maxUniformBufferRange",         "maxStorageBufferRange",
    "minTexelBufferOffsetAlignment", "nonCoherentAtomSize",
    "bufferImageGranularity"};

/// Members that are only checked: people read them, layouts do not depend on them.
void check_numbers(JsonObject& in, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys)
    (void)in.number_or(key, 0);
  in.finish();
}

void read_other_limits(const JsonValue& value, JsonErrors& errors, DeviceLimits& limits) {
  JsonObject in(value, errors);
  limits.minUniformBufferOffsetAlignment =
      in.number_or("minUniformBufferOffsetAlignment", limits.minUniformBufferOffsetAlignment);
  limits.minStorageBufferOffsetAlignment =
      in.number_or("minStorageBufferOffsetAlignment", limits.minStorageBufferOffsetAlignment);
  const uint64_t stride = in.number_or("maxShaderGroupStride", 0);
  const uint64_t handle = in.number_or("shaderGroupHandleSize", 32);
  limits.maxShaderRecordSize = stride - std::min(stride, handle);
  check_numbers(in, kOtherLimits);
}

std::string read_device(const JsonValue* value, JsonErrors& errors) {
  if (value == nullptr) return {};
  JsonObject in(*value, errors);
  std::string description = in.string("name");
  const std::string driver = in.string_or("driver", "");
  (void)in.number_or("vendorID", 0, kUint32Range);
  (void)in.number_or("deviceID", 0, kUint32Range);
  (void)in.string_or("apiVersion", "");
  in.finish();
  return driver.empty() ? description : std::format("{} ({})", description, driver);
}

void read_heap_properties(const JsonValue& value, JsonErrors& errors, DeviceLimits& limits) {
  JsonObject in(value, errors);
  limits.samplerHeapAlignment = in.number("samplerHeapAlignment");
  limits.resourceHeapAlignment = in.number("resourceHeapAlignment");
  limits.maxSamplerHeapSize = in.number("maxSamplerHeapSize");
  limits.maxResourceHeapSize = in.number("maxResourceHeapSize");
  limits.minSamplerHeapReservedRange = in.number("minSamplerHeapReservedRange");
  limits.minSamplerHeapReservedRangeWithEmbedded =
      in.number("minSamplerHeapReservedRangeWithEmbedded");
  limits.minResourceHeapReservedRange = in.number("minResourceHeapReservedRange");
  limits.samplerDescriptorSize = in.number("samplerDescriptorSize");
  limits.imageDescriptorSize = in.number("imageDescriptorSize");
  limits.bufferDescriptorSize = in.number("bufferDescriptorSize");
  limits.samplerDescriptorAlignment = in.number("samplerDescriptorAlignment");
  limits.imageDescriptorAlignment = in.number("imageDescriptorAlignment");
  limits.bufferDescriptorAlignment = in.number("bufferDescriptorAlignment");
  limits.maxPushDataSize = in.number("maxPushDataSize");
  (void)in.number("imageCaptureReplayOpaqueDataSize");
  limits.maxDescriptorHeapEmbeddedSamplers =
      static_cast<uint32_t>(in.number("maxDescriptorHeapEmbeddedSamplers", kUint32Range));
  limits.samplerYcbcrConversionCount =
      static_cast<uint32_t>(in.number("samplerYcbcrConversionCount", kUint32Range));
  (void)in.boolean("sparseDescriptorHeaps");
  (void)in.boolean("protectedDescriptorHeaps");
  in.finish();
}

void read_tensor_properties(const JsonValue& value, JsonErrors& errors, DeviceLimits& limits) {
  JsonObject in(value, errors);
  limits.tensorDescriptorSize = in.number("tensorDescriptorSize");
  limits.tensorDescriptorAlignment = in.number("tensorDescriptorAlignment");
  (void)in.number("tensorCaptureReplayOpaqueDataSize");
  in.finish();
}

}  // namespace

Diagnosed<DeviceProfile> parse_device_profile(std::string_view json, const std::string& file,
                                              Diagnostics& diagnostics) {
  const Diagnosed<JsonValue> document = parse_json(json, file, diagnostics);
  if (!document) return std::unexpected(document.error());

  JsonErrors errors(file, Code::InvalidProfile, diagnostics);
  JsonObject in(*document, errors);
  DeviceProfile profile;
  in.check_schema("urn:heapsmith:schema:profile:1");
  profile.name = in.string("name");
  profile.description = read_device(in.object_or_null("device"), errors);
  (void)in.string_or("source", "");
  const JsonValue* properties = in.object("descriptorHeapProperties");
  if (properties != nullptr) read_heap_properties(*properties, errors, profile.limits);
  if (const JsonValue* tensor = in.object_or_null("descriptorHeapTensorProperties"))
    read_tensor_properties(*tensor, errors, profile.limits);
  if (const JsonValue* sizes = in.object_or_null("descriptorSizes")) {
    JsonObject object(*sizes, errors);
    check_numbers(object, kSizedTypes);
  }
  if (const JsonValue* limits = in.object_or_null("limits"))
    read_other_limits(*limits, errors, profile.limits);
  in.finish();
  if (errors.any()) return errors.failed();

  const Status status = check_limits(profile.limits);
  if (!status) return errors.at(*properties, status.error().text);
  return profile;
}

Diagnosed<DeviceProfile> load_device_profile(const std::string& nameOrFile,
                                             Diagnostics& diagnostics) {
  const auto* found =
      std::ranges::find(kBuiltIn, std::string_view(nameOrFile), &BuiltInProfile::name);
  if (found != std::end(kBuiltIn))
    return parse_device_profile(found->json, "<profile " + nameOrFile + ">", diagnostics);

  std::error_code ignored;
  const bool isFile = nameOrFile == "-" || nameOrFile.ends_with(".json") ||
                      nameOrFile.find_first_of("/\\") != std::string::npos ||
                      std::filesystem::exists(nameOrFile, ignored);
  if (!isFile) {
    return diagnostics.error(
        Code::InvalidProfile, {},
        std::format("neither a built-in device profile nor a file is called '{}'{}", nameOrFile,
                    did_you_mean(nameOrFile, built_in_profiles())));
  }
  const Diagnosed<std::string> text = read_file(nameOrFile, diagnostics);
  if (!text) return std::unexpected(text.error());
  return parse_device_profile(*text, shown_path(nameOrFile), diagnostics);
}

std::vector<std::string_view> built_in_profiles() {
  std::vector<std::string_view> names;
  for (const BuiltInProfile& profile : kBuiltIn)
    names.push_back(profile.name);
  return names;
}

}  // namespace heapsmith::input
