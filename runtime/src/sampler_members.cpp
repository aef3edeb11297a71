// SPDX-License-Identifier: MIT
#include "heapsmith/sampler_members.h"

#include <algorithm>

namespace heapsmith {
namespace {

constexpr EnumValue kFilters[] = {{"NEAREST", 0}, {"LINEAR", 1}, {"CUBIC_EXT", 1000015000}};
constexpr EnumValue kMipmapModes[] = {{"NEAREST", 0}, {"LINEAR", 1}};
constexpr EnumValue kAddressModes[] = {{"REPEAT", 0},
                                       {"MIRRORED_REPEAT", 1},
                                       {"CLAMP_TO_EDGE", 2},
                                       {"CLAMP_TO_BORDER", 3},
                                       {"MIRROR_CLAMP_TO_EDGE", 4}};
constexpr EnumValue kCompareOps[] = {{"NEVER", 0},
                                     {"LESS", 1},
                                     {"EQUAL", 2},
                                     {"LESS_OR_EQUAL", 3},
                                     {"GREATER", 4},
                                     {"NOT_EQUAL", 5},
                                     {"GREATER_OR_EQUAL", 6},
                                     {"ALWAYS", 7}};
constexpr EnumValue kBorderColors[] = {{"FLOAT_TRANSPARENT_BLACK", 0},
                                       {"INT_TRANSPARENT_BLACK", 1},
                                       {"FLOAT_OPAQUE_BLACK", 2},
                                       {"INT_OPAQUE_BLACK", 3},
                                       {"FLOAT_OPAQUE_WHITE", 4},
                                       {"INT_OPAQUE_WHITE", 5},
                                       {"FLOAT_CUSTOM_EXT", kFloatCustomBorderColor},
                                       {"INT_CUSTOM_EXT", kIntCustomBorderColor}};
constexpr EnumValue kReductionModes[] = {{"WEIGHTED_AVERAGE", 0},
                                         {"MIN", 1},
                                         {"MAX", 2},
                                         {"WEIGHTED_AVERAGE_RANGECLAMP_QCOM", 1000521000}};
constexpr EnumValue kYcbcrModels[] = {{"RGB_IDENTITY", 0},
                                      {"YCBCR_IDENTITY", 1},
                                      {"YCBCR_709", 2},
                                      {"YCBCR_601", 3},
                                      {"YCBCR_2020", 4}};
constexpr EnumValue kYcbcrRanges[] = {{"ITU_FULL", 0}, {"ITU_NARROW", 1}};
constexpr EnumValue kSwizzles[] = {{"IDENTITY", 0}, {"ZERO", 1}, {"ONE", 2}, {"R", 3},
                                   {"G", 4},        {"B", 5},    {"A", 6}};
constexpr EnumValue kChromaLocations[] = {{"COSITED_EVEN", 0}, {"MIDPOINT", 1}};
constexpr EnumValue kFormats[] = {
#define HEAPSMITH_FORMAT(name, number) {#name, number},
#include "formats.def"
#undef HEAPSMITH_FORMAT
};

}  // namespace

std::span<const EnumValue> values_of(SamplerEnum kind) noexcept {
  switch (kind) {
    case SamplerEnum::Filter:
      return kFilters;
    case SamplerEnum::MipmapMode:
      return kMipmapModes;
    case SamplerEnum::AddressMode:
      return kAddressModes;
    case SamplerEnum::CompareOp:
      return kCompareOps;
    case SamplerEnum::BorderColor:
      return kBorderColors;
    case SamplerEnum::ReductionMode:
      return kReductionModes;
    case SamplerEnum::YcbcrModel:
      return kYcbcrModels;
    case SamplerEnum::YcbcrRange:
      return kYcbcrRanges;
    case SamplerEnum::ComponentSwizzle:
      return kSwizzles;
    case SamplerEnum::ChromaLocation:
      return kChromaLocations;
    case SamplerEnum::Format:
      return kFormats;
  }
  return {};
}

std::optional<uint32_t> find_value(SamplerEnum kind, std::string_view name) noexcept {
  for (const EnumValue& value : values_of(kind)) {
    if (value.name == name) return value.value;
  }
  return std::nullopt;
}

std::string_view find_name(SamplerEnum kind, uint32_t value) noexcept {
  const std::span<const EnumValue> values = values_of(kind);
  const auto found = std::lower_bound(
      values.begin(), values.end(), value,
      [](const EnumValue& known, uint32_t wanted) { return known.value < wanted; });
  return found != values.end() && found->value == value ? found->name : std::string_view();
}

}  // namespace heapsmith
