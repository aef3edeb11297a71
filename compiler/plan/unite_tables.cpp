// SPDX-License-Identifier: MIT
#include "plan/unite_tables.h"

#include <algorithm>
#include <format>
#include <string_view>

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

void unite_use(ProgramBinding& into, const ProgramBinding& from) {
  into.stages |= from.stages;
  into.kinds |= from.kinds;
  into.minBufferSize = std::max(into.minBufferSize, from.minBufferSize);
  for (const reflect::BindingView& view : from.views)
    reflect::unite_views(into.views, view);
}

}  // namespace

Shape shape_of(const std::vector<ProgramBinding>& set) {
  Shape shape;
  shape.reserve(set.size());
  for (const ProgramBinding& b : set)
    shape.push_back({b.binding, b.type, b.arrayKind, b.count, b.dims});
  return shape;
}

void unite_uses(std::vector<ProgramBinding>& into, const std::vector<ProgramBinding>& from) {
  for (size_t i = 0; i < into.size(); ++i)
    unite_use(into[i], from[i]);
}

bool unite(std::vector<ProgramBinding>& into, const std::vector<ProgramBinding>& from,
           Diagnostics& diagnostics) {
  bool united = true;
  for (const ProgramBinding& binding : from) {
    const auto found =
        std::ranges::lower_bound(into, binding.binding, {}, &ProgramBinding::binding);
    if (found == into.end() || found->binding != binding.binding) {
      into.insert(found, binding);
      continue;
    }
    const auto type = reflect::common_type(found->type, binding.type);
    if (!type) {
      diagnostics.error(Code::SharedTableConflict,
                        {.file = binding.file,
                         .resource = binding.name,
                         .set = binding.set,
                         .binding = binding.binding},
                        std::format("the policy shares set {}, but '{}' is {} here and '{}' is {} "
                                    "in {}",
                                    binding.set, binding.name, to_string(binding.type), found->name,
                                    to_string(found->type), found->file));
      united = false;
      continue;
    }
    found->type = *type;
    reflect::unite_arrays(*found, binding.arrayKind, binding.dims, binding.count);
    unite_use(*found, binding);
  }
  return united;
}

}  // namespace heapsmith::plan
