// SPDX-License-Identifier: MIT
#include <format>
#include <map>
#include <set>

#include "case.h"

namespace source_matrix {
namespace {

std::string samplers_json() {
  std::string text;
  for (uint32_t level = 0; level < kLevels; ++level) {
    text += std::format("    \"{}\": {{ \"minLod\": {}, \"maxLod\": {} }},\n", level_sampler(level),
                        level, level);
  }
  for (const bool less : {true, false}) {
    text += std::format("    \"{}\": {{ \"compareEnable\": true, \"compareOp\": \"{}\" }}{}\n",
                        compare_sampler(less), less ? "LESS" : "GREATER_OR_EQUAL", less ? "," : "");
  }
  return text;
}

std::string sampler_name(const Resource& resource, uint32_t element) {
  const uint32_t trait = immutable_trait(resource, element);
  return resource.dim == Dim::Shadow ? compare_sampler(trait == 1) : level_sampler(trait);
}

void append(std::string& members, const std::string& member) {
  if (!members.empty()) members += ", ";
  members += member;
}

std::string binding_json(const Case& test, const Resource& resource) {
  const Set& set = test.sets[resource.set];
  std::string members;
  if (resource.said == Said::LegacyType) {
    append(members, std::format("\"descriptorType\": \"{}\"",
                                resource.residence == Residence::PushData ||
                                        resource.residence == Residence::HeapData
                                    ? "INLINE_UNIFORM_BLOCK"
                                : resource.kind == Kind::UniformBuffer ? "UNIFORM_BUFFER_DYNAMIC"
                                                                       : "STORAGE_BUFFER_DYNAMIC"));
  } else if (resource.said == Said::Residence) {
    append(members, std::format("\"residence\": \"{}\"", to_string(resource.residence)));
  }
  const bool has_copies = heapsmith::is_table_residence(resource.residence) ||
                          resource.residence == Residence::HeapData;
  if (set.residence != resource.residence && has_copies && resource.instances > 1)
    append(members, std::format("\"instances\": {}", resource.instances));
  if (resource.array == Array::Runtime)
    append(members, std::format("\"capacity\": {}", elements(resource.array)));
  if (has_sampler(resource.kind) && resource.samplers != Samplers::Tuples) {
    std::string names;
    for (uint32_t element = 0; element < elements(resource.array); ++element)
      append(names, std::format("\"{}\"", sampler_name(resource, element)));
    append(members, std::format("\"immutableSamplers\": [{}]", names));
    append(members, std::format("\"embedSamplers\": {}",
                                resource.samplers == Samplers::Embedded ? "true" : "false"));
  }
  return std::format("{{ {} }}", members);
}

std::string set_json(const Case& test, uint32_t index) {
  const Set& set = test.sets[index];
  std::string members;
  if (set.residence) {
    append(members, std::format("\"residence\": \"{}\"", to_string(*set.residence)));
  }
  if (set.instances > 1) append(members, std::format("\"instances\": {}", set.instances));
  if (set.eachDraw) append(members, "\"frequency\": \"draw\"");
  if (set.samplerInstances != 0)
    append(members, std::format("\"samplerInstances\": {}", set.samplerInstances));
  if (set.packed) append(members, "\"packedIndex\": true");
  if (!set.indirectBlock.empty())
    append(members, std::format("\"indirectBlock\": \"{}\"", set.indirectBlock));
  std::string bindings;
  for (const Resource& resource : test.resources) {
    if (resource.set != index || resource.sameBinding != kNobody) continue;
    if (!bindings.empty()) bindings += ",";
    bindings += std::format("\n        \"{}\": {}", kNumbers[resource.number],
                            binding_json(test, resource));
  }
  append(members, std::format("\"bindings\": {{{}\n      }}", bindings));
  return std::format("    \"{}\": {{ {} }}", kNumbers[set.number], members);
}

}  // namespace

std::string write_policy(const Case& test) {
  std::string sets;
  for (uint32_t index = 0; index < test.sets.size(); ++index) {
    bool used = false;
    for (const Resource& resource : test.resources)
      used |= resource.set == index;
    if (!used) continue;
    if (!sets.empty()) sets += ",\n";
    sets += set_json(test, index);
  }
  std::string files;
  for (const ShaderText& shader : write_shaders(test))
    append(files, std::format("\"{}.spv\"", shader.file));
  const std::string more = test.policy.empty() ? "" : ",\n  " + test.policy;
  return std::format(
      "{{\n  \"sets\": {{\n{}\n  }},\n  \"samplers\": {{\n{}  }},\n  \"programs\": {{ \"{}\": [{}] "
      "}}{}\n}}\n",
      sets, samplers_json(), test.name, files, more);
}

}  // namespace source_matrix
