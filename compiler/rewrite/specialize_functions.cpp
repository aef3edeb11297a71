// SPDX-License-Identifier: MIT
#include "rewrite/specialize_functions.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "spirv/grammar.h"
#include "spirv/operands.h"
#include "spirv/uses.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Function;
using spirv::Instruction;
using spirv::Section;

/// Parameter by parameter whether it is handed rewritten resources, of which shape, and how they
/// are reached. 0: anything else.
using Signature = std::vector<uint8_t>;

/// A function as some calls need it.
struct Instance {
  uint32_t function = 0;  ///< index
  Signature signature;
  uint32_t id = 0;
  std::unordered_map<uint32_t, uint32_t> newIds;  ///< of a further instance
};

/// Of a pointer or value that leads to an object.
uint8_t kind_of(const Context& context, const Objects& objects, const Object& object, uint32_t id) {
  constexpr int kReaches = 3;
  int kind = static_cast<int>(object.shape) * kReaches + static_cast<int>(object.reach);
  const bool isArray = objects.type_behind(context, id) != object.element;
  for (const bool isScattered : object.scattered)
    kind = 2 * kind + static_cast<int>(isArray && isScattered);
  return static_cast<uint8_t>(1 + kind);
}

struct State {
  const Context& context;
  const Objects& objects;
  spirv::Editor editor = spirv::Editor(context.module);
  std::vector<std::vector<Instruction>> calls = {};  // by function
  std::vector<Instance> instances = {};
  std::map<std::pair<uint32_t, Signature>, uint32_t> known = {};  // index of the instance
  std::vector<uint32_t> counts = {};                              // instances by function
  size_t walked = 0;

  std::optional<std::vector<uint32_t>> run();

 private:
  void list_calls();
  void list_instances();
  void walk_instances();
  uint32_t instance_of(uint32_t function, Signature signature);
  [[nodiscard]] Signature signature_of(Instruction call, const Instance& caller) const;
  [[nodiscard]] uint8_t kind_in(uint32_t id, const Instance& instance) const;
  uint32_t callee_id(Instruction call, const Instance& caller);
  void name_new_ids(Instance& instance);
  void redirect_calls(const Instance& instance);
  void insert_clone(const Instance& instance);
  void describe_clones();
  void describe(Instruction annotation, const Instance& instance);
  [[nodiscard]] const Function& function_of(const Instance& instance) const {
    return context.module.functions()[instance.function];
  }
};

std::optional<std::vector<uint32_t>> State::run() {
  list_calls();
  list_instances();
  if (std::ranges::all_of(counts, [](uint32_t count) { return count <= 1; })) return std::nullopt;
  for (Instance& instance : instances)
    if (instance.id != function_of(instance).id) name_new_ids(instance);
  for (const Instance& instance : instances) {
    if (instance.newIds.empty())
      redirect_calls(instance);
    else
      insert_clone(instance);
  }
  describe_clones();
  return editor.write();
}

/// Those that hand over something of a followed type; all others stay as they are.
void State::list_calls() {
  calls.resize(context.module.functions().size());
  counts.resize(calls.size());
  uint32_t function = 0;
  uint32_t last = 0;
  for (const spirv::Use& use : objects.uses().all()) {
    const Instruction call = context.module.at(use.instruction);
    if (call.op() != spv::Op::OpFunctionCall || use.instruction == last) continue;
    last = use.instruction;
    while (context.module.functions()[function].endWord <= use.instruction)
      ++function;
    if (objects.function_index(call.word(3))) calls[function].push_back(call);
  }
}

/// From the functions on that are handed nothing. Only a cycle of calls has none.
void State::list_instances() {
  const auto functions = context.module.functions();
  std::vector<uint8_t> isHanded(functions.size());
  for (const Object& object : objects.all())
    if (object.placement == nullptr) isHanded[object.function] = 1;
  const auto add_plain = [&](uint32_t function) {
    instance_of(function, Signature(functions[function].parameterCount));
    walk_instances();
  };
  for (uint32_t i = 0; i < functions.size(); ++i)
    if (isHanded[i] == 0) add_plain(i);
  for (uint32_t i = 0; i < functions.size(); ++i)
    if (counts[i] == 0) add_plain(i);
}

void State::walk_instances() {
  for (; walked < instances.size(); ++walked) {
    const uint32_t function = instances[walked].function;
    for (const Instruction call : calls[function])
      instance_of(*objects.function_index(call.word(3)), signature_of(call, instances[walked]));
  }
}

uint32_t State::instance_of(uint32_t function, Signature signature) {
  const auto [entry, isNew] =
      known.try_emplace({function, signature}, static_cast<uint32_t>(instances.size()));
  if (isNew) {
    const bool isFirst = counts[function]++ == 0;
    const uint32_t id = isFirst ? context.module.functions()[function].id : editor.new_id();
    instances.push_back({.function = function, .signature = std::move(signature), .id = id});
  }
  return entry->second;
}

Signature State::signature_of(Instruction call, const Instance& caller) const {
  const uint32_t callee = *objects.function_index(call.word(3));
  Signature signature(context.module.functions()[callee].parameterCount);
  for (uint32_t i = 0; i < signature.size(); ++i)
    signature[i] = kind_in(call.word(i + 4), caller);
  return signature;
}

uint8_t State::kind_in(uint32_t id, const Instance& instance) const {
  const Object* object = objects.of(id);
  if (object == nullptr) return 0;
  if (object->placement != nullptr) return kind_of(context, objects, *object, id);
  const auto parameters = context.module.parameters(function_of(instance));
  const auto found = std::ranges::find(parameters, object->id);
  if (found == parameters.end()) return 0;
  return instance.signature[static_cast<size_t>(found - parameters.begin())];
}

uint32_t State::callee_id(Instruction call, const Instance& caller) {
  const uint32_t callee = *objects.function_index(call.word(3));
  return instances[instance_of(callee, signature_of(call, caller))].id;
}

void State::name_new_ids(Instance& instance) {
  const Function& function = function_of(instance);
  for (const Instruction instruction : context.module.body(function)) {
    const uint32_t result = instruction.result_id();
    if (result != 0) instance.newIds.emplace(result, editor.new_id());
  }
  instance.newIds[function.id] = instance.id;
}

void State::redirect_calls(const Instance& instance) {
  for (const Instruction call : calls[instance.function]) {
    const uint32_t id = callee_id(call, instance);
    if (id != call.word(3)) editor.replace_id(context.module.word_index(call) + 3, id);
  }
}

void State::insert_clone(const Instance& instance) {
  const Function& function = function_of(instance);
  std::unordered_map<uint32_t, uint32_t> callees;  // by the word of the call
  for (const Instruction call : calls[instance.function])
    callees[context.module.word_index(call)] = callee_id(call, instance);
  for (const Instruction instruction : context.module.body(function)) {
    std::vector<uint32_t> words(instruction.words().begin(), instruction.words().end());
    spirv::for_each_id(context.module, instruction, spirv::get_rule(instruction.op()),
                       [&](uint32_t word) {
                         const auto renamed = instance.newIds.find(words[word]);
                         if (renamed != instance.newIds.end()) words[word] = renamed->second;
                       });
    const auto callee = callees.find(context.module.word_index(instruction));
    if (callee != callees.end()) words[3] = callee->second;
    words.erase(words.begin());  // the opcode
    editor.insert(function.endWord, instruction.op(), words);
  }
}

/// Names and decorations.
void State::describe_clones() {
  for (const Instruction instruction : context.module.declarations()) {
    if (!spirv::is_annotation(instruction.op())) continue;
    for (const Instance& instance : instances)
      if (!instance.newIds.empty()) describe(instruction, instance);
  }
}

void State::describe(Instruction annotation, const Instance& instance) {
  std::vector<uint32_t> operands(annotation.words_from(1).begin(), annotation.words_from(1).end());
  if (annotation.op() == spv::Op::OpGroupDecorate) {
    std::vector<uint32_t> targets = {operands[0]};
    for (const uint32_t target : std::span(operands).subspan(1))
      if (const auto found = instance.newIds.find(target); found != instance.newIds.end())
        targets.push_back(found->second);
    if (targets.size() > 1) editor.append(Section::Annotations, annotation.op(), targets);
    return;
  }
  const auto found = instance.newIds.find(operands[0]);
  if (found == instance.newIds.end()) return;
  operands[0] = found->second;
  const bool isName = annotation.op() == spv::Op::OpName;
  editor.append(isName ? Section::Names : Section::Annotations, annotation.op(), operands);
}

}  // namespace

std::optional<std::vector<uint32_t>> specialize_functions(const Context& context,
                                                          const Objects& objects) {
  const bool handsOver = std::ranges::any_of(
      objects.all(), [](const Object& object) { return object.placement == nullptr; });
  if (!handsOver) return std::nullopt;
  return State{.context = context, .objects = objects}.run();
}

}  // namespace heapsmith::rewrite
