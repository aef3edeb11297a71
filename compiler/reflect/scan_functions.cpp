// SPDX-License-Identifier: MIT
#include "reflect/scan_functions.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reflect/access_facts.h"
#include "reflect/descriptor_types.h"
#include "spirv/operands.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

constexpr uint32_t kDerived = 0xFFFFFFFFu;

struct State {
  const Context& context;
  std::span<const uint32_t> variables;
  DescriptorTypes types;
  std::vector<uint32_t> slots =
      {};  // by id; 0: of no interest, kDerived, or index of the variable plus one
  std::vector<uint32_t> lastUser = {};  // by variable: function index plus one
  std::unordered_map<uint32_t, uint32_t> functionIndices = {};
  /// By private variable: the index of the variable that it points to from the start.
  std::unordered_map<uint32_t, uint32_t> initialized = {};
  std::vector<uint32_t> ignoredSets = {};
  uint32_t currentFunction = 0;  // its id
  ModuleUses uses = {};

  void run();

 private:
  void prepare();
  void prepare_private(Instruction variable);
  void scan_function(uint32_t index);
  void scan_instruction(uint32_t function, Instruction instruction);
  void note_variable(uint32_t function, uint32_t variable);
  void note_initialized(uint32_t function, uint32_t id);
  void follow_call(Instruction call);
  void follow_chain(Instruction chain);
  bool note_pick(const spirv::AccessChain& chain, std::span<const uint32_t> indices);
  void follow_derivation(Instruction instruction, const spirv::InstructionRule& rule);
  void note_accesses(Instruction instruction, const spirv::InstructionRule& rule);

  void flow(uint32_t to, uint32_t from) { uses.flows.push_back({.to = to, .from = from}); }
  void flow_from_memory(uint32_t to, uint32_t from);
  [[nodiscard]] bool holds_tracked(uint32_t pointer) const {
    return types.holds_tracked(context.module.definition(pointer).type_id());
  }
};

void State::run() {
  prepare();
  const auto functions = context.module.functions();
  for (uint32_t i = 0; i < functions.size(); ++i)
    scan_function(i);
}

void State::prepare() {
  const auto& module = context.module;
  slots.resize(module.bound());
  lastUser.resize(variables.size());
  for (uint32_t i = 0; i < variables.size(); ++i)
    slots[variables[i]] = i + 1;
  const auto functions = module.functions();
  for (uint32_t i = 0; i < functions.size(); ++i)
    functionIndices[functions[i].id] = i;
  for (const Instruction instruction : module.declarations()) {
    if (instruction.op() == spv::Op::OpVariable) prepare_private(instruction);
    if (instruction.op() != spv::Op::OpExtInstImport) continue;
    const std::string name = instruction.string(2);
    if (name.starts_with("NonSemantic.") || name.starts_with("OpenCL.DebugInfo") ||
        name == "DebugInfo")
      ignoredSets.push_back(instruction.word(1));
  }
}

/// Pointers may lie in private memory.
void State::prepare_private(Instruction variable) {
  const uint32_t id = variable.word(2);
  if (!types.holds_tracked(variable.word(1)) || slots[id] != 0) return;
  slots[id] = kDerived;
  const auto target = std::ranges::find(variables, variable.word(4));
  if (target != variables.end())
    initialized[id] = static_cast<uint32_t>(target - variables.begin());
}

void State::scan_function(uint32_t index) {
  FunctionUses function;
  currentFunction = context.module.functions()[index].id;
  const auto position = [](const auto& vector) { return static_cast<uint32_t>(vector.size()); };
  function.variables.begin = position(uses.variables);
  function.calls.begin = position(uses.calls);
  function.flows.begin = position(uses.flows);
  function.seeds.begin = position(uses.seeds);
  function.picks.begin = position(uses.picks);
  for (const Instruction instruction : context.module.body(context.module.functions()[index]))
    scan_instruction(index, instruction);
  function.variables.end = position(uses.variables);
  function.calls.end = position(uses.calls);
  function.flows.end = position(uses.flows);
  function.seeds.end = position(uses.seeds);
  function.picks.end = position(uses.picks);
  uses.functions.push_back(function);
}

void State::scan_instruction(uint32_t function, Instruction instruction) {
  if (spirv::is_computation(instruction.op())) return;
  const spirv::InstructionRule& rule = spirv::get_rule(instruction.op());
  const bool derives = rule.hasType && rule.hasResult && types.is_tracked(instruction.word(1));
  bool touches = instruction.op() == spv::Op::OpFunctionCall;
  if (!derives && !touches && !spirv::may_mention(instruction, slots)) return;
  if (instruction.op() == spv::Op::OpExtInst &&
      std::ranges::find(ignoredSets, instruction.word(3)) != ignoredSets.end())
    return;
  spirv::for_each_id(context.module, instruction, rule, [&](uint32_t word) {
    const uint32_t slot = slots[instruction.word(word)];
    if (slot == 0) return;
    touches = true;
    if (slot != kDerived) note_variable(function, slot - 1);
    if (!initialized.empty()) note_initialized(function, instruction.word(word));
  });
  if (derives) slots[instruction.word(2)] = kDerived;
  if (!touches && !derives) return;

  if (instruction.op() == spv::Op::OpFunctionCall) return follow_call(instruction);
  if (spirv::is_access_chain(instruction.op())) return follow_chain(instruction);
  if (derives) return follow_derivation(instruction, rule);
  note_accesses(instruction, rule);
}

void State::note_variable(uint32_t function, uint32_t variable) {
  if (lastUser[variable] == function + 1) return;
  lastUser[variable] = function + 1;
  uses.variables.push_back(variable);
}

/// Of pointers to the same memory each stands for what is stored through the other.
void State::flow_from_memory(uint32_t to, uint32_t from) {
  flow(to, from);
  if (holds_tracked(to) && holds_tracked(from)) flow(from, to);
}

void State::note_initialized(uint32_t function, uint32_t id) {
  const auto found = initialized.find(id);
  if (found == initialized.end()) return;
  note_variable(function, found->second);
  flow(id, variables[found->second]);
}

void State::follow_call(Instruction call) {
  const auto callee = functionIndices.find(call.word(3));
  if (callee == functionIndices.end()) return;
  uses.calls.push_back(callee->second);
  const auto parameters = context.module.parameters(context.module.functions()[callee->second]);
  const auto arguments = call.words_from(4);
  for (size_t i = 0; i < std::min(arguments.size(), parameters.size()); ++i)
    if (slots[arguments[i]] != 0) flow_from_memory(parameters[i], arguments[i]);
  if (slots[call.word(2)] != 0)
    flow(call.word(2), call.word(3));  // a function's id stands for what it returns
}

void State::follow_chain(Instruction chain) {
  const spirv::AccessChain parts = spirv::read_access_chain(context.module, chain);
  const auto indices = chain.words_from(parts.firstIndex);
  const size_t levels = std::min<size_t>(types.array_levels(parts.baseType), indices.size());
  bool dynamic = false;
  uint16_t facts = 0;
  for (const uint32_t index : indices.first(levels)) {
    if (spirv::is_constant(context.module.definition(index).op())) continue;
    dynamic = true;
    facts |= kDynamicIndex;
    if (context.annotations.has(index, spv::Decoration::NonUniform)) facts |= kNonUniformIndex;
  }
  uses.flows.push_back({.to = chain.word(2),
                        .from = parts.base,
                        .picksElement = levels != 0,
                        .picksDynamically = dynamic});
  if (holds_tracked(chain.word(2)) && holds_tracked(parts.base)) flow(parts.base, chain.word(2));
  if (levels != 0 && !dynamic && !note_pick(parts, indices.first(levels))) facts |= kOtherIndex;
  if (facts != 0) uses.seeds.push_back({parts.base, facts});
}

/// Notes an element that literals pick straight from a variable; false if it is another case.
bool State::note_pick(const spirv::AccessChain& chain, std::span<const uint32_t> indices) {
  const uint32_t slot = slots[chain.base];
  if (slot == 0 || slot == kDerived || indices.size() != types.array_levels(chain.baseType))
    return false;
  uint64_t flat = 0;
  uint32_t type = chain.baseType;
  for (const uint32_t index : indices) {
    const Instruction array = context.module.definition(type);
    const auto value = context.constants.value(index);
    if (!value || context.module.definition(index).op() != spv::Op::OpConstant) return false;
    const bool sized = array.op() == spv::Op::OpTypeArray;
    const uint64_t length = sized ? context.constants.value(array.word(3)).value_or(0) : 0;
    if (sized && *value >= length) return false;
    flat = flat * length + *value;
    type = array.word(2);
  }
  uses.picks.push_back({.variable = slot - 1, .index = flat});
  return true;
}

void State::follow_derivation(Instruction instruction, const spirv::InstructionRule& rule) {
  // All operands, for those of an OpPhi may come from further below.
  const uint32_t result = instruction.word(2);
  spirv::for_each_id(context.module, instruction, rule, [&](uint32_t word) {
    if (word > 2) flow_from_memory(result, instruction.word(word));
  });
}

void State::note_accesses(Instruction instruction, const spirv::InstructionRule& rule) {
  const spv::Op op = instruction.op();
  if (op == spv::Op::OpReturnValue) return flow(currentFunction, instruction.word(1));
  if (op == spv::Op::OpStore && slots[instruction.word(2)] != 0)
    return flow(instruction.word(1), instruction.word(2));
  if (op == spv::Op::OpCopyMemory && holds_tracked(instruction.word(1)))
    return flow(instruction.word(1), instruction.word(2));
  if (op == spv::Op::OpUntypedArrayLengthKHR)
    uses.untypedBlocks.push_back({.pointer = instruction.word(4), .type = instruction.word(3)});
  const AccessFacts facts = access_facts(op, rule.name);
  spirv::for_each_id(context.module, instruction, rule, [&](uint32_t word) {
    const uint16_t bits = word == facts.word || facts.word == 0 ? facts.first : facts.others;
    if (bits != 0 && slots[instruction.word(word)] != 0)
      uses.seeds.push_back({instruction.word(word), bits});
  });
}

}  // namespace

ModuleUses scan_functions(const Context& context, std::span<const uint32_t> variables) {
  State state{.context = context, .variables = variables, .types = DescriptorTypes(context)};
  state.run();
  return std::move(state.uses);
}

}  // namespace heapsmith::reflect
