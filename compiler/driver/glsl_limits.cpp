// SPDX-License-Identifier: MIT
#include "driver/glsl_limits.h"

#include <algorithm>
#include <format>
#include <set>
#include <string_view>
#include <vector>

#include "rewrite/place_bindings.h"
#include "spirv/types.h"

namespace heapsmith::driver {
namespace {

// Whether addresses of a type lead to more of the type: as those of a list's nodes do.
bool leads_back(const spirv::Module& module, uint32_t pointer) {
  std::vector<uint32_t> open = {module.definition(pointer).word(3)};
  std::set<uint32_t> seen;
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    if (id == pointer) return true;
    if (!seen.insert(id).second) continue;
    const spirv::Instruction type = module.definition(id);
    if (type.op() == spv::Op::OpTypeStruct)
      open.insert(open.end(), type.words_from(2).begin(), type.words_from(2).end());
    else if (spirv::is_array(type.op()))
      open.push_back(type.word(2));
    else if (type.op() == spv::Op::OpTypePointer)
      open.push_back(type.word(3));
  }
  return false;
}

// Whether arrays in a block are sized by specialization constants.
bool has_specialized_array(const reflect::ShaderInterface& shader, uint32_t type) {
  const reflect::BlockType& node = shader.types[type];
  switch (node.kind) {
    case reflect::TypeKind::Array:
    case reflect::TypeKind::RuntimeArray:
      return !node.lengthSpecIds.empty() || has_specialized_array(shader, node.element);
    case reflect::TypeKind::Structure:
      return std::ranges::any_of(node.members, [&](const reflect::BlockMember& member) {
        return has_specialized_array(shader, member.type);
      });
    default:
      return false;
  }
}

class Limits {
 public:
  Limits(const reflect::ShaderInterface& shader, const spirv::Module& module,
         const std::string& shown, Diagnostics& diagnostics)
      : shader_(shader), module_(module), shown_(shown), diagnostics_(diagnostics) {}

  // SPIRV-Cross 1.4.357 does not return from some of these.
  bool run(const rewrite::Placements& placements) {
    for (const spirv::Instruction instruction : module_.declarations()) {
      if (instruction.op() == spv::Op::OpTypeForwardPointer &&
          leads_back(module_, instruction.word(1)))
        return refuse("a type that holds addresses of its own kind");
    }
    if (std::ranges::contains(shader_.capabilities, std::string_view("LongVectorEXT")))
      return refuse("vectors of any length");
    for (const reflect::Resource& resource : shader_.resources) {
      const auto* placement = rewrite::find_placement(placements, resource.set, resource.binding);
      if (placement == nullptr) continue;
      if (placement->data && placement->data->source == rewrite::DataSource::HeapData)
        refuse(resource, "a block whose bytes lie in a heap", "block");
      if (!placement->resource) continue;  // not in the heap
      check_image(resource);
      check_block(resource);
    }
    return !diagnostics_.has_errors();
  }

 private:
  // glslang 16.6 drops these where the array lies in a heap.
  void check_image(const reflect::Resource& resource) {
    const reflect::Qualifiers& said = resource.qualifiers;
    if (!resource.image || !(said.coherent || said.isVolatile)) return;
    refuse(resource, std::format("a {} image in a heap", said.isVolatile ? "volatile" : "coherent"),
           "image", ": glslang leaves out what its array says");
  }

  // glslang 16.6 crashes when it compiles such a block in a heap.
  void check_block(const reflect::Resource& resource) {
    if (resource.block == reflect::kNoType) return;
    if (has_specialized_array(shader_, resource.block))
      refuse(resource, "an array that specialization constants size, in a block in a heap,",
             "buffer");
  }

  void refuse(const reflect::Resource& resource, std::string_view what, std::string_view kind,
              std::string_view why = {}) {
    diagnostics_.error(
        Code::UnsupportedGlsl,
        {.file = shown_,
         .resource = resource.name,
         .set = resource.set,
         .binding = resource.binding},
        std::format(
            "{} cannot be written as GLSL{}; leave --emit glsl away, or let the policy keep "
            "the {} mapped",
            what, why, kind));
  }

  bool refuse(std::string_view what) {
    diagnostics_.error(Code::UnsupportedGlsl, {.file = shown_},
                       std::format("{} cannot be written as GLSL; leave --emit glsl away", what));
    return false;
  }

  const reflect::ShaderInterface& shader_;
  const spirv::Module& module_;
  const std::string& shown_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool check_glsl_limits(const reflect::ShaderInterface& shader, const spirv::Module& module,
                       const rewrite::Placements& placements, const std::string& shown,
                       Diagnostics& diagnostics) {
  return Limits(shader, module, shown, diagnostics).run(placements);
}

}  // namespace heapsmith::driver
