// SPDX-License-Identifier: MIT
#include "rewrite/block_variables.h"

#include <algorithm>
#include <set>

#include "spirv/types.h"
#include "spirv/uses.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

std::vector<uint32_t> variables_of(const Context& context, spv::StorageClass storage) {
  std::vector<uint32_t> variables;
  for (const Instruction variable : context.module.declarations())
    if (spirv::is_variable(variable.op()) && spirv::storage_class(variable) == storage)
      variables.push_back(variable.result_id());
  return variables;
}

/// By function.
std::vector<std::set<uint32_t>> find_users(const Context& context,
                                           std::span<const uint32_t> variables) {
  std::vector<uint8_t> followed(context.module.bound());
  for (const uint32_t variable : variables)
    followed[context.module.definition(variable).type_id()] = 1;
  const spirv::Uses uses(context.module, followed);
  std::vector<std::set<uint32_t>> users(context.module.functions().size());
  for (const uint32_t variable : variables)
    for (const spirv::Use& use : uses.of(variable))
      users[function_at(context.module, use.instruction)].insert(variable);
  return users;
}

}  // namespace

std::vector<std::vector<uint32_t>> find_block_variables(const Context& context,
                                                        std::span<const CallTree> trees,
                                                        spv::StorageClass storage) {
  const auto variables = variables_of(context, storage);
  if (variables.empty() || (variables.size() == 1 && trees.size() == 1))
    return std::vector(trees.size(), variables);
  const auto users = find_users(context, variables);
  std::vector<std::vector<uint32_t>> found;
  for (const CallTree& tree : trees) {
    std::set<uint32_t> used;
    for (const uint32_t function : tree.functions)
      used.insert(users[function].begin(), users[function].end());
    for (const uint32_t id : tree.entryPoint.words_from(first_interface_word(tree.entryPoint)))
      if (std::ranges::find(variables, id) != variables.end()) used.insert(id);
    found.emplace_back(used.begin(), used.end());
  }
  return found;
}

}  // namespace heapsmith::rewrite
