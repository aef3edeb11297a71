// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "heapsmith/manifest.h"

/// The members of SamplerInfo and YcbcrConversion as JSON has them: Vulkan's names, enums as
/// strings without prefix ("CLAMP_TO_EDGE"). For what reads and writes policies and manifests.
namespace heapsmith {

/// The Vulkan enums of these members.
enum class SamplerEnum : uint8_t {
  Filter,
  MipmapMode,
  AddressMode,
  CompareOp,
  BorderColor,
  ReductionMode,
  YcbcrModel,
  YcbcrRange,
  ComponentSwizzle,
  ChromaLocation,
  Format,
};

struct EnumValue {
  std::string_view name;
  uint32_t value;
};

/// Ascending by value.
[[nodiscard]] std::span<const EnumValue> values_of(SamplerEnum kind) noexcept;
[[nodiscard]] std::optional<uint32_t> find_value(SamplerEnum kind, std::string_view name) noexcept;
/// Empty if there is no such value.
[[nodiscard]] std::string_view find_name(SamplerEnum kind, uint32_t value) noexcept;

template <typename Struct>
struct EnumMember {
  std::string_view key;
  SamplerEnum kind;
  uint32_t Struct::* member;
};
template <typename T>
struct SamplerMember {
  std::string_view key;
  T SamplerInfo::* member;
};

inline constexpr EnumMember<SamplerInfo> kSamplerEnums[] = {
    {"magFilter", SamplerEnum::Filter, &SamplerInfo::magFilter},
    {"minFilter", SamplerEnum::Filter, &SamplerInfo::minFilter},
    {"mipmapMode", SamplerEnum::MipmapMode, &SamplerInfo::mipmapMode},
    {"addressModeU", SamplerEnum::AddressMode, &SamplerInfo::addressModeU},
    {"addressModeV", SamplerEnum::AddressMode, &SamplerInfo::addressModeV},
    {"addressModeW", SamplerEnum::AddressMode, &SamplerInfo::addressModeW},
    {"compareOp", SamplerEnum::CompareOp, &SamplerInfo::compareOp},
    {"borderColor", SamplerEnum::BorderColor, &SamplerInfo::borderColor},
    {"reductionMode", SamplerEnum::ReductionMode, &SamplerInfo::reductionMode},
};
inline constexpr SamplerMember<float> kSamplerNumbers[] = {
    {"mipLodBias", &SamplerInfo::mipLodBias},
    {"maxAnisotropy", &SamplerInfo::maxAnisotropy},
    {"minLod", &SamplerInfo::minLod},
    {"maxLod", &SamplerInfo::maxLod},
};
inline constexpr SamplerMember<bool> kSamplerFlags[] = {
    {"anisotropyEnable", &SamplerInfo::anisotropyEnable},
    {"compareEnable", &SamplerInfo::compareEnable},
    {"unnormalizedCoordinates", &SamplerInfo::unnormalizedCoordinates},
};
inline constexpr EnumMember<YcbcrConversion> kConversionEnums[] = {
    {"format", SamplerEnum::Format, &YcbcrConversion::format},
    {"ycbcrModel", SamplerEnum::YcbcrModel, &YcbcrConversion::ycbcrModel},
    {"ycbcrRange", SamplerEnum::YcbcrRange, &YcbcrConversion::ycbcrRange},
    {"xChromaOffset", SamplerEnum::ChromaLocation, &YcbcrConversion::xChromaOffset},
    {"yChromaOffset", SamplerEnum::ChromaLocation, &YcbcrConversion::yChromaOffset},
    {"chromaFilter", SamplerEnum::Filter, &YcbcrConversion::chromaFilter},
};

/// VkBorderColor of samplers with a colour of their own.
inline constexpr uint32_t kFloatCustomBorderColor = 1000287003;
inline constexpr uint32_t kIntCustomBorderColor = 1000287004;
[[nodiscard]] constexpr bool has_custom_border_color(const SamplerInfo& info) noexcept {
  return info.borderColor == kFloatCustomBorderColor || info.borderColor == kIntCustomBorderColor;
}

}  // namespace heapsmith
