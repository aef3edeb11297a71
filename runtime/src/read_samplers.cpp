// SPDX-License-Identifier: MIT
#include "read_samplers.h"

#include <bit>
#include <cfloat>
#include <cmath>

#include "heapsmith/sampler_members.h"

namespace heapsmith::detail {
namespace {

uint32_t read_enum(Reader& in, const Place& place, SamplerEnum kind) {
  const std::string_view name = in.text(place);
  if (const auto value = find_value(kind, name)) return *value;
  if (place.value != nullptr) in.fail(place, "'", name, "' is not known here");
  return 0;
}

float read_float(Reader& in, const Place& place) {
  const double value = in.real(place);
  if (std::abs(value) <= FLT_MAX) return static_cast<float>(value);
  in.fail(place, "is beyond a 32-bit float");
  return 0;
}

void expect_length(Reader& in, const Place& array, size_t wanted) {
  if (in.length(array) != wanted) in.fail(array, "has ", wanted, " elements");
}

void read_border_color(Reader& in, const Place& place, SamplerInfo& sampler) {
  const bool isFloat = sampler.borderColor == kFloatCustomBorderColor;
  const std::string_view key = isFloat ? "float32" : "int32";
  in.check_keys(place, {"format", key});
  sampler.customBorderColorFormat = read_enum(in, in.member(place, "format"), SamplerEnum::Format);
  const Place components = in.member(place, key);
  expect_length(in, components, std::size(sampler.customBorderColor));
  for (size_t i = 0; i < std::size(sampler.customBorderColor) && !in.failed(); ++i) {
    const Place component = in.element(components, i);
    if (isFloat) {
      sampler.customBorderColor[i] = std::bit_cast<uint32_t>(read_float(in, component));
      continue;
    }
    const double value = in.real(component);
    if (!(value >= INT32_MIN && value <= INT32_MAX && value == std::trunc(value))) {
      in.fail(component, "is no 32-bit integer");
      return;
    }
    sampler.customBorderColor[i] = std::bit_cast<uint32_t>(static_cast<int32_t>(value));
  }
}

YcbcrConversion read_conversion(Reader& in, const Place& place) {
  in.check_keys(place, {"format", "ycbcrModel", "ycbcrRange", "components", "xChromaOffset",
                        "yChromaOffset", "chromaFilter", "forceExplicitReconstruction"});
  YcbcrConversion conversion;
  for (const auto& [key, kind, member] : kConversionEnums) {
    conversion.*member = read_enum(in, in.member(place, key), kind);
  }
  const Place components = in.member(place, "components");
  expect_length(in, components, std::size(conversion.components));
  for (size_t i = 0; i < std::size(conversion.components) && !in.failed(); ++i) {
    conversion.components[i] =
        read_enum(in, in.element(components, i), SamplerEnum::ComponentSwizzle);
  }
  conversion.forceExplicitReconstruction =
      in.boolean(in.member(place, "forceExplicitReconstruction"));
  return conversion;
}

}  // namespace

SamplerInfo read_sampler(Reader& in, const Place& place) {
  in.check_keys(place, {"name",
                        "flags",
                        "magFilter",
                        "minFilter",
                        "mipmapMode",
                        "addressModeU",
                        "addressModeV",
                        "addressModeW",
                        "mipLodBias",
                        "maxAnisotropy",
                        "anisotropyEnable",
                        "compareEnable",
                        "compareOp",
                        "minLod",
                        "maxLod",
                        "borderColor",
                        "unnormalizedCoordinates",
                        "reductionMode",
                        "customBorderColor",
                        "ycbcrConversion"});
  SamplerInfo sampler;
  if (in.has(place, "flags")) sampler.flags = in.number32(in.member(place, "flags"));
  for (const auto& [key, kind, member] : kSamplerEnums) {
    sampler.*member = read_enum(in, in.member(place, key), kind);
  }
  for (const auto& [key, member] : kSamplerNumbers) {
    sampler.*member = read_float(in, in.member(place, key));
  }
  for (const auto& [key, member] : kSamplerFlags) {
    sampler.*member = in.boolean(in.member(place, key));
  }
  if (has_custom_border_color(sampler)) {
    read_border_color(in, in.member(place, "customBorderColor"), sampler);
  }
  sampler.convertsYcbcr = in.has(place, "ycbcrConversion");
  if (sampler.convertsYcbcr) {
    sampler.conversion = read_conversion(in, in.member(place, "ycbcrConversion"));
  }
  return sampler;
}

}  // namespace heapsmith::detail
