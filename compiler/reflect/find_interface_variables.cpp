// SPDX-License-Identifier: MIT
#include "reflect/find_interface_variables.h"

#include <format>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "reflect/type_text.h"
#include "spirv/grammar.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

std::optional<InterfaceKind> kind_of(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClass::Input:
      return InterfaceKind::Input;
    case spv::StorageClass::Output:
      return InterfaceKind::Output;
    case spv::StorageClass::TaskPayloadWorkgroupEXT:
      return InterfaceKind::TaskPayload;
    case spv::StorageClass::RayPayloadKHR:
      return InterfaceKind::RayPayload;
    case spv::StorageClass::IncomingRayPayloadKHR:
      return InterfaceKind::IncomingRayPayload;
    case spv::StorageClass::HitAttributeKHR:
      return InterfaceKind::HitAttribute;
    case spv::StorageClass::CallableDataKHR:
      return InterfaceKind::CallableData;
    case spv::StorageClass::IncomingCallableDataKHR:
      return InterfaceKind::IncomingCallableData;
    case spv::StorageClass::ShaderRecordBufferKHR:
      return InterfaceKind::ShaderRecord;
    default:  // resources, and memory inside of the shader
      return std::nullopt;
  }
}

/// Decorations without operands that matter where stages meet.
const char* decoration_word(spv::Decoration decoration) {
  switch (decoration) {
    case spv::Decoration::Flat:
      return "Flat";
    case spv::Decoration::NoPerspective:
      return "NoPerspective";
    case spv::Decoration::Centroid:
      return "Centroid";
    case spv::Decoration::Sample:
      return "Sample";
    case spv::Decoration::Patch:
      return "Patch";
    case spv::Decoration::Invariant:
      return "Invariant";
    case spv::Decoration::RelaxedPrecision:
      return "RelaxedPrecision";
    case spv::Decoration::PerPrimitiveEXT:
      return "PerPrimitiveEXT";
    case spv::Decoration::PerVertexKHR:
      return "PerVertexKHR";
    default:  // of no concern
      return nullptr;
  }
}

void read_annotation(const Context& context, const spirv::Annotation& annotation,
                     InterfaceVariable& variable) {
  const uint32_t operand = context.annotations.operand(annotation);
  switch (annotation.kind) {
    case spv::Decoration::Location:
      variable.location = operand;
      break;
    case spv::Decoration::Component:
      variable.component = operand;
      break;
    case spv::Decoration::Index:
      variable.index = operand;
      break;
    case spv::Decoration::BuiltIn:
      variable.builtIn = spirv::built_in_name(operand);
      if (variable.builtIn.empty()) variable.builtIn = std::to_string(operand);
      break;
    default:
      if (const char* word = decoration_word(annotation.kind))
        variable.decorations.emplace_back(word);
  }
}

/// Locations that a type takes up; nothing for structures, which would have to be walked.
std::optional<uint32_t> location_count(const Context& context, uint32_t type) {
  uint64_t count = 1;
  for (Instruction array = context.module.definition(type); spirv::is_array(array.op());
       array = context.module.definition(type)) {
    count *= context.constants.value(array.word(3)).value_or(0);
    if (count > std::numeric_limits<uint16_t>::max()) return std::nullopt;
    type = array.word(2);
  }
  Instruction element = context.module.definition(type);
  if (element.op() == spv::Op::OpTypeMatrix) {
    count *= element.word(3);
    element = context.module.definition(element.word(2));
  }
  uint32_t components = 1;
  if (element.op() == spv::Op::OpTypeVector) {
    components = element.word(3);
    element = context.module.definition(element.word(2));
  }
  const bool isNumber = element.op() == spv::Op::OpTypeInt || element.op() == spv::Op::OpTypeFloat;
  if (!isNumber || count > std::numeric_limits<uint16_t>::max()) return std::nullopt;
  const bool takesTwo = element.word(2) == 64 && components > 2;
  return static_cast<uint32_t>(count) * (takesTwo ? 2 : 1);
}

bool is_structure(const Context& context, uint32_t type) {
  const uint32_t element = spirv::array_element(context.module, type);
  return context.module.definition(element).op() == spv::Op::OpTypeStruct;
}

struct State {
  const Context& context;
  std::vector<InterfaceVariable>& variables;
  std::vector<FoundInterfaceVariable> found = {};

  void read(Instruction instruction, InterfaceKind kind);

 private:
  void add_members(const InterfaceVariable& variable, uint32_t outerType, uint32_t block);
};

void State::read(Instruction instruction, InterfaceKind kind) {
  const uint32_t id = instruction.word(2);
  const uint32_t type = spirv::variable_type(context.module, instruction);
  const uint32_t element = spirv::array_element(context.module, type);
  const bool isStructure = is_structure(context, type);
  InterfaceVariable variable{.kind = kind, .name = context.annotations.name(id)};
  for (const spirv::Annotation& annotation : context.annotations.of(id))
    if (annotation.member == spirv::kNoMember) read_annotation(context, annotation, variable);
  if (variable.name.empty() && isStructure) variable.name = context.annotations.name(element);

  FoundInterfaceVariable entry{.id = id, .first = static_cast<uint32_t>(variables.size())};
  const bool crossesStages = kind == InterfaceKind::Input || kind == InterfaceKind::Output;
  if (crossesStages && isStructure && context.annotations.has(element, spv::Decoration::Block)) {
    add_members(variable, type, element);
  } else {
    if (kind == InterfaceKind::ShaderRecord && isStructure) entry.recordType = element;
    variable.type = type_text(context, type);
    variable.isStructure = isStructure;
    variables.push_back(std::move(variable));
  }
  entry.count = static_cast<uint32_t>(variables.size()) - entry.first;
  found.push_back(entry);
}

void State::add_members(const InterfaceVariable& variable, uint32_t outerType, uint32_t block) {
  const auto types = context.module.definition(block).words_from(2);
  const size_t first = variables.size();
  for (uint32_t i = 0; i < types.size(); ++i) {
    InterfaceVariable member{.kind = variable.kind, .decorations = variable.decorations};
    std::string name = context.annotations.member_name(block, i);
    if (name.empty()) name = std::format("member{}", i);
    member.name = variable.name.empty() ? name : std::format("{}.{}", variable.name, name);
    member.type = member_type_text(context, outerType, types[i]);
    member.isStructure = is_structure(context, types[i]);
    variables.push_back(std::move(member));
  }
  for (const spirv::Annotation& annotation : context.annotations.of(block))
    if (annotation.member < types.size())
      read_annotation(context, annotation, variables[first + annotation.member]);
  // Members without a location follow the one before them.
  std::optional<uint32_t> next = variable.location;
  for (uint32_t i = 0; i < types.size(); ++i) {
    InterfaceVariable& member = variables[first + i];
    if (!member.builtIn.empty()) continue;
    if (!member.location) member.location = next;
    const auto count = location_count(context, types[i]);
    next = member.location && count ? std::optional(*member.location + *count) : std::nullopt;
  }
}

}  // namespace

std::vector<FoundInterfaceVariable> find_interface_variables(
    const Context& context, std::vector<InterfaceVariable>& variables) {
  State state{.context = context, .variables = variables};
  for (const Instruction instruction : context.module.declarations()) {
    if (!spirv::is_variable(instruction.op())) continue;
    if (const auto kind = kind_of(spirv::storage_class(instruction)))
      state.read(instruction, *kind);
  }
  return std::move(state.found);
}

}  // namespace heapsmith::reflect
