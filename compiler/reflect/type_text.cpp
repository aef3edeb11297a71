// SPDX-License-Identifier: MIT
#include "reflect/type_text.h"

#include <format>

#include "reflect/classify_type.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

std::string element_text(const Context& context, uint32_t type) {
  const Instruction definition = context.module.definition(type);
  switch (definition.op()) {
    case spv::Op::OpTypeVector:
      return std::format("{}x{}", scalar_name(context.module, definition.word(2)),
                         definition.word(3));
    case spv::Op::OpTypeMatrix: {
      const Instruction column = context.module.definition(definition.word(2));
      return std::format("{}x{}x{}", scalar_name(context.module, column.word(2)),
                         definition.word(3), column.word(3));
    }
    case spv::Op::OpTypeStruct: {
      const std::string name = context.annotations.name(type);
      return name.empty() ? "structure" : name;
    }
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeUntypedPointerKHR:
      return "address";
    default: {
      const std::string scalar = scalar_name(context.module, type);
      return scalar.empty() ? "unknown" : scalar;
    }
  }
}

std::string dims_text(const Context& context, uint32_t type) {
  std::string dims;
  while (spirv::is_array(context.module.definition(type).op())) {
    const Instruction array = context.module.definition(type);
    const bool sized = array.op() == spv::Op::OpTypeArray;
    const auto length = sized ? context.constants.value(array.word(3)) : std::nullopt;
    dims += length ? std::format("[{}]", *length) : "[runtime]";
    type = array.word(2);
  }
  return dims;
}

}  // namespace

std::string type_text(const Context& context, uint32_t type) {
  return element_text(context, spirv::array_element(context.module, type)) +
         dims_text(context, type);
}

std::string member_type_text(const Context& context, uint32_t outerType, uint32_t type) {
  return element_text(context, spirv::array_element(context.module, type)) +
         dims_text(context, outerType) + dims_text(context, type);
}

}  // namespace heapsmith::reflect
