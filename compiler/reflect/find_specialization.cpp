// SPDX-License-Identifier: MIT
#include "reflect/find_specialization.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "reflect/classify_type.h"

namespace heapsmith::reflect {
namespace {

bool is_specialization_constant(spv::Op op) {
  return op == spv::Op::OpSpecConstantTrue || op == spv::Op::OpSpecConstantFalse ||
         op == spv::Op::OpSpecConstant;
}

uint64_t default_bits(spirv::Instruction constant) {
  if (constant.op() == spv::Op::OpSpecConstant)
    return constant.word(3) | uint64_t{constant.word(4)} << 32;
  return constant.op() == spv::Op::OpSpecConstantTrue ? 1 : 0;
}

// Ascending. glslang declares a constant once more, without its name, where local_size_x_id means
// it.
std::vector<SpecializationConstant> unite_equal(std::vector<SpecializationConstant> constants) {
  const auto value = [](const SpecializationConstant& c) {
    return std::tie(c.specId, c.type, c.defaultBits);
  };
  std::ranges::stable_sort(constants, {}, value);
  std::vector<SpecializationConstant> result;
  for (SpecializationConstant& constant : constants) {
    if (result.empty() || value(result.back()) != value(constant))
      result.push_back(std::move(constant));
    else if (result.back().name.empty())
      result.back().name = std::move(constant.name);
  }
  return result;
}

}  // namespace

std::vector<SpecializationConstant> find_specialization_constants(const Context& context) {
  std::vector<SpecializationConstant> result;
  for (const spirv::Instruction instruction : context.module.declarations()) {
    if (!is_specialization_constant(instruction.op())) continue;
    const uint32_t id = instruction.word(2);
    const auto* specId = context.annotations.find(id, spv::Decoration::SpecId);
    if (specId == nullptr) continue;
    result.push_back({.specId = context.annotations.operand(*specId),
                      .name = context.annotations.name(id),
                      .type = scalar_name(context.module, instruction.word(1)),
                      .defaultBits = default_bits(instruction)});
  }
  return unite_equal(std::move(result));
}

}  // namespace heapsmith::reflect
