// SPDX-License-Identifier: MIT
#include "input/sampler_json.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "heapsmith/sampler_members.h"

namespace heapsmith::input {
namespace {

// The VkFilter, VkSamplerMipmapMode and VkSamplerAddressMode that the rules below speak of.
constexpr uint32_t kNearest = 0;
constexpr uint32_t kClampToEdge = 2;
constexpr uint32_t kClampToBorder = 3;
constexpr uint32_t kWeightedAverage = 0;

uint32_t read_enum(const JsonValue& value, SamplerEnum kind, JsonErrors& errors) {
  std::vector<std::string_view> names;
  for (const EnumValue& known : values_of(kind))
    names.push_back(known.name);
  const auto choice = read_choice(value, errors, names);
  return choice ? values_of(kind)[*choice].value : 0;
}

template <typename Struct, size_t N>
void read_enums(JsonObject& in, JsonErrors& errors, const EnumMember<Struct> (&members)[N],
                Struct& into) {
  for (const auto& [key, kind, member] : members) {
    if (const JsonValue* value = in.find(key)) into.*member = read_enum(*value, kind, errors);
  }
}

// Beyond floats lies infinity, which JSON cannot say when the manifest is written.
float read_float(const JsonValue& value, JsonErrors& errors) {
  const double number = read_real(value, errors).value_or(0);
  if (std::abs(number) <= FLT_MAX) return static_cast<float>(number);
  errors.at(value, "must fit into a 32-bit float");
  return 0;
}

bool has_length(const JsonValue& array, size_t wanted, JsonErrors& errors) {
  if (array.kind == JsonValue::Kind::Array && array.children.size() == wanted) return true;
  errors.at(array, std::format("must be a list of {}", wanted));
  return false;
}

void read_border_color(const JsonValue& value, JsonErrors& errors, SamplerInfo& sampler) {
  JsonObject in(value, errors);
  if (const JsonValue* format = in.find("format"))
    sampler.customBorderColorFormat = read_enum(*format, SamplerEnum::Format, errors);
  const bool is_float = sampler.borderColor == kFloatCustomBorderColor;
  const std::string_view key = is_float ? "float32" : "int32";
  const JsonValue* components = in.array(key);
  if (components != nullptr && has_length(*components, 4, errors)) {
    for (size_t i = 0; i < 4; ++i) {
      const JsonValue& component = components->children[i];
      if (is_float) {
        sampler.customBorderColor[i] = std::bit_cast<uint32_t>(read_float(component, errors));
        continue;
      }
      const double number = read_real(component, errors).value_or(0);
      if (number >= INT32_MIN && number <= INT32_MAX && number == std::trunc(number)) {
        sampler.customBorderColor[i] = std::bit_cast<uint32_t>(static_cast<int32_t>(number));
      } else {
        errors.at(component, "must be a 32-bit integer");
      }
    }
  }
  in.finish();
}

YcbcrConversion read_conversion(const JsonValue& value, JsonErrors& errors) {
  YcbcrConversion conversion;
  JsonObject in(value, errors);
  if (in.find("format") == nullptr) (void)in.string("format");  // must be there
  read_enums(in, errors, kConversionEnums, conversion);
  if (const JsonValue* components = in.find("components");
      components != nullptr && has_length(*components, 4, errors)) {
    for (size_t i = 0; i < 4; ++i) {
      conversion.components[i] =
          read_enum(components->children[i], SamplerEnum::ComponentSwizzle, errors);
    }
  }
  conversion.forceExplicitReconstruction = in.boolean_or("forceExplicitReconstruction", false);
  in.finish();
  return conversion;
}

bool clamps(uint32_t mode) {
  return mode == kClampToEdge || mode == kClampToBorder;
}

// VUID-VkSamplerCreateInfo-*
void check(const SamplerInfo& s, const JsonValue& value, JsonErrors& errors) {
  const auto forbid = [&](bool broken, std::string_view why) {
    if (broken) errors.at(value, why);
  };
  forbid(s.minLod > s.maxLod, "minLod is above maxLod (01973)");
  forbid(s.anisotropyEnable && s.maxAnisotropy < 1, "maxAnisotropy is below 1 (01071)");
  forbid(s.compareEnable && s.reductionMode != kWeightedAverage,
         "a comparing sampler has no reductionMode (01423)");
  if (s.unnormalizedCoordinates) {
    forbid(s.minFilter != s.magFilter, "unnormalized coordinates need equal filters (01072)");
    forbid(s.mipmapMode != kNearest, "unnormalized coordinates need mipmapMode NEAREST (01073)");
    forbid(s.minLod != 0 || s.maxLod != 0, "unnormalized coordinates need both lods 0 (01074)");
    forbid(!clamps(s.addressModeU) || !clamps(s.addressModeV),
           "unnormalized coordinates need clamping address modes (01075)");
    forbid(s.anisotropyEnable,
           "unnormalized coordinates and anisotropy exclude each other (01076)");
    forbid(s.compareEnable, "unnormalized coordinates and comparison exclude each other (01077)");
  }
  if (s.convertsYcbcr) {
    const bool edges = s.addressModeU == kClampToEdge && s.addressModeV == kClampToEdge &&
                       s.addressModeW == kClampToEdge;
    forbid(!edges || s.anisotropyEnable || s.unnormalizedCoordinates,
           "a conversion needs address modes CLAMP_TO_EDGE, no anisotropy and normalized "
           "coordinates (01646)");
  }
}

}  // namespace

SamplerInfo read_sampler(const JsonValue& value, JsonErrors& errors) {
  SamplerInfo sampler;
  JsonObject in(value, errors);
  sampler.flags = static_cast<uint32_t>(in.number_or("flags", 0, kUint32Range));
  read_enums(in, errors, kSamplerEnums, sampler);
  for (const auto& [key, member] : kSamplerNumbers) {
    if (const JsonValue* number = in.find(key)) sampler.*member = read_float(*number, errors);
  }
  for (const auto& [key, member] : kSamplerFlags)
    sampler.*member = in.boolean_or(key, false);
  if (has_custom_border_color(sampler)) {
    if (const JsonValue* color = in.object("customBorderColor"))
      read_border_color(*color, errors, sampler);
  }
  if (const JsonValue* conversion = in.object_or_null("ycbcrConversion")) {
    sampler.convertsYcbcr = true;
    sampler.conversion = read_conversion(*conversion, errors);
  }
  in.finish();
  check(sampler, value, errors);
  return sampler;
}

}  // namespace heapsmith::input
