// SPDX-License-Identifier: MIT
#include "emit/sampler_json.h"

#include <bit>

#include "heapsmith/sampler_members.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;

Json custom_border_color(const SamplerInfo& sampler) {
  Json color = {{"format", find_name(SamplerEnum::Format, sampler.customBorderColorFormat)}};
  const bool is_float = sampler.borderColor == kFloatCustomBorderColor;
  Json& components = color[is_float ? "float32" : "int32"] = Json::array();
  for (const uint32_t bits : sampler.customBorderColor) {
    if (is_float) {
      components.push_back(std::bit_cast<float>(bits));
    } else {
      components.push_back(std::bit_cast<int32_t>(bits));
    }
  }
  return color;
}

Json conversion_json(const YcbcrConversion& conversion) {
  Json json;
  for (const auto& [key, kind, member] : kConversionEnums)
    json[key] = find_name(kind, conversion.*member);
  json["components"] = Json::array();
  for (const uint32_t swizzle : conversion.components)
    json["components"].push_back(find_name(SamplerEnum::ComponentSwizzle, swizzle));
  json["forceExplicitReconstruction"] = conversion.forceExplicitReconstruction;
  return json;
}

}  // namespace

Json sampler_json(const SamplerInfo& sampler) {
  Json json = {{"name", sampler.name}};
  if (sampler.flags != 0) json["flags"] = sampler.flags;
  for (const auto& [key, kind, member] : kSamplerEnums)
    json[key] = find_name(kind, sampler.*member);
  for (const auto& [key, member] : kSamplerNumbers)
    json[key] = sampler.*member;
  for (const auto& [key, member] : kSamplerFlags)
    json[key] = sampler.*member;
  if (has_custom_border_color(sampler)) json["customBorderColor"] = custom_border_color(sampler);
  if (sampler.convertsYcbcr) json["ycbcrConversion"] = conversion_json(sampler.conversion);
  return json;
}

}  // namespace heapsmith::emit
