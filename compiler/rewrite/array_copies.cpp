// SPDX-License-Identifier: MIT
#include "rewrite/array_copies.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/types.h"
#include "spirv/uses.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

/// A function `void copy(from, to)` for two types of pointers, before all others of the module:
///
///   for (uint i = 0; i < LENGTH; i++) to[i] = from[i];
///
/// and a loop in the loop for arrays of such arrays.
class CopyFunction {
 public:
  CopyFunction(spirv::Editor& editor, spirv::Builder& builder, uint32_t fromType, uint32_t toType)
      : module_(editor.module()),
        editor_(editor),
        builder_(builder),
        uint_(builder.uint_type()),
        fromType_(fromType),
        toType_(toType) {}

  uint32_t write() {
    const uint32_t nothing = builder_.declare_once(spv::Op::OpTypeVoid, 0, {});
    const uint32_t type =
        builder_.declare_once(spv::Op::OpTypeFunction, 0, {nothing, fromType_, toType_});
    const uint32_t function = editor_.new_id();
    add(spv::Op::OpFunction, {nothing, function, 0, type});
    from_ = add_result(spv::Op::OpFunctionParameter, fromType_, {});
    to_ = add_result(spv::Op::OpFunctionParameter, toType_, {});
    add(spv::Op::OpLabel, {editor_.new_id()});
    const uint32_t counter = builder_.pointer_type(spv::StorageClass::Function, uint_);
    std::vector<uint32_t> lengths;
    element_ = module_.definition(fromType_).word(3);
    while (spirv::is_array(module_.definition(element_).op())) {
      lengths.push_back(module_.definition(element_).word(3));
      element_ = module_.definition(element_).word(2);
      counters_.push_back(add_result(spv::Op::OpVariable, counter,
                                     {static_cast<uint32_t>(spv::StorageClass::Function)}));
      builder_.name(counters_.back(), "i");
    }
    add_loops(lengths);
    add(spv::Op::OpReturn, {});
    add(spv::Op::OpFunctionEnd, {});
    builder_.name(function, "copy");
    builder_.name(from_, "from");
    builder_.name(to_, "to");
    return function;
  }

 private:
  void add(spv::Op op, spirv::Operands operands) {
    editor_.insert(module_.functions_word(), op, operands);
  }

  uint32_t add_result(spv::Op op, uint32_t type, const std::vector<uint32_t>& further) {
    const uint32_t id = editor_.new_id();
    std::vector<uint32_t> operands = {type, id};
    operands.insert(operands.end(), further.begin(), further.end());
    add(op, operands);
    return id;
  }

  void add_loops(std::span<const uint32_t> lengths) {
    if (lengths.empty()) return add_copy();
    const uint32_t counter = counters_[counters_.size() - lengths.size()];
    const uint32_t head = editor_.new_id(), condition = editor_.new_id(), body = editor_.new_id(),
                   next = editor_.new_id(), end = editor_.new_id();
    add(spv::Op::OpStore, {counter, builder_.uint_constant(0)});
    add(spv::Op::OpBranch, {head});
    add(spv::Op::OpLabel, {head});
    add(spv::Op::OpLoopMerge, {end, next, 0});
    add(spv::Op::OpBranch, {condition});
    add(spv::Op::OpLabel, {condition});
    const uint32_t isLess =
        add_result(spv::Op::OpULessThan, builder_.declare_once(spv::Op::OpTypeBool, 0, {}),
                   {load(counter), lengths.front()});
    add(spv::Op::OpBranchConditional, {isLess, body, end});
    add(spv::Op::OpLabel, {body});
    add_loops(lengths.subspan(1));
    add(spv::Op::OpBranch, {next});
    add(spv::Op::OpLabel, {next});
    add(spv::Op::OpStore,
        {counter, add_result(spv::Op::OpIAdd, uint_, {load(counter), builder_.uint_constant(1)})});
    add(spv::Op::OpBranch, {head});
    add(spv::Op::OpLabel, {end});
  }

  void add_copy() {
    std::vector<uint32_t> indices;
    for (const uint32_t counter : counters_)
      indices.push_back(load(counter));
    const uint32_t from = point(from_, fromType_, indices);
    const uint32_t to = point(to_, toType_, indices);
    add(spv::Op::OpStore, {to, add_result(spv::Op::OpLoad, element_, {from})});
  }

  uint32_t load(uint32_t counter) { return add_result(spv::Op::OpLoad, uint_, {counter}); }

  uint32_t point(uint32_t base, uint32_t type, const std::vector<uint32_t>& indices) {
    std::vector<uint32_t> further = {base};
    further.insert(further.end(), indices.begin(), indices.end());
    const auto storage = spirv::storage_class(module_.definition(type));
    return add_result(spv::Op::OpAccessChain, builder_.pointer_type(storage, element_), further);
  }

  const spirv::Module& module_;
  spirv::Editor& editor_;
  spirv::Builder& builder_;
  uint32_t uint_;
  uint32_t fromType_;
  uint32_t toType_;
  uint32_t from_ = 0;
  uint32_t to_ = 0;
  uint32_t element_ = 0;
  std::vector<uint32_t> counters_;  // outermost first
};

class ArrayCopies {
 public:
  explicit ArrayCopies(spirv::Editor& editor)
      : module_(editor.module()), editor_(editor), builder_(editor) {}

  void run() {
    std::vector<uint8_t> specialized(module_.bound());
    for (const Instruction type : module_.declarations())
      specialized[type.result_id()] = is_specialized(type, specialized);
    if (!std::ranges::contains(specialized, 1)) return;
    const spirv::Uses uses(module_, specialized);
    for (const spirv::Function& function : module_.functions()) {
      first_ = module_.at(function.beginWord);
      for (const Instruction load : module_.body(function)) {
        if (load.op() == spv::Op::OpLoad && specialized[load.type_id()] != 0)
          replace(load, uses.of(load.result_id()));
      }
    }
  }

 private:
  /// Arrays of arrays, but of nothing that holds such an array.
  bool is_specialized(Instruction type, std::span<const uint8_t> specialized) const {
    if (type.op() != spv::Op::OpTypeArray) return false;
    const spv::Op length = module_.definition(type.word(3)).op();
    return length == spv::Op::OpSpecConstant || length == spv::Op::OpSpecConstantOp ||
           specialized[type.word(2)] != 0;
  }

  /// A function's parameter might be a pointer into something.
  bool is_own_variable(uint32_t id) const {
    const Instruction variable = module_.definition(id);
    if (variable.op() != spv::Op::OpVariable) return false;
    const spv::StorageClass storage = spirv::storage_class(variable);
    return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
  }

  void replace(Instruction load, std::span<const spirv::Use> uses) {
    const bool isCopied = std::ranges::all_of(uses, [&](const spirv::Use& use) {
      const Instruction store = module_.at(use.instruction);
      return store.op() == spv::Op::OpStore && store.word(2) == load.result_id() &&
             is_own_variable(store.word(1));
    });
    if (!is_own_variable(load.word(3)) || !isCopied) return;
    uint32_t from = load.word(3);
    if (!follow_at_once(load, uses)) {
      from = wait_in_variable(load);
      call(load, load.word(3), from);
    }
    for (const spirv::Use& use : uses) {
      const Instruction store = module_.at(use.instruction);
      call(store, from, store.word(1));
      editor_.remove(store);
    }
    editor_.remove(load);
  }

  /// Whether all stores stand right behind the load, and before anything that could change what was
  /// loaded: of several, only one might.
  bool follow_at_once(Instruction load, std::span<const spirv::Use> uses) const {
    return uses.size() == 1 && uses.front().instruction == module_.word_index(load) + load.length();
  }

  uint32_t wait_in_variable(Instruction load) {
    const uint32_t variable = editor_.new_id();
    const uint32_t type = builder_.pointer_type(spv::StorageClass::Function, load.type_id());
    types_[variable] = type;
    editor_.insert(first_word(), spv::Op::OpVariable,
                   {type, variable, static_cast<uint32_t>(spv::StorageClass::Function)});
    return variable;
  }

  /// Behind the first OpLabel of the function.
  uint32_t first_word() const {
    Instruction instruction = first_;
    while (instruction.op() != spv::Op::OpLabel)
      instruction = module_.at(module_.word_index(instruction) + instruction.length());
    return module_.word_index(instruction) + instruction.length();
  }

  void call(Instruction place, uint32_t from, uint32_t to) {
    const std::pair key(pointer_type(from), pointer_type(to));
    auto known = functions_.find(key);
    if (known == functions_.end()) {
      CopyFunction function(editor_, builder_, key.first, key.second);
      known = functions_.emplace(key, function.write()).first;
    }
    const uint32_t nothing = builder_.declare_once(spv::Op::OpTypeVoid, 0, {});
    editor_.insert(module_.word_index(place), spv::Op::OpFunctionCall,
                   {nothing, editor_.new_id(), known->second, from, to});
  }

  uint32_t pointer_type(uint32_t variable) const {
    const auto own = types_.find(variable);
    return own == types_.end() ? module_.definition(variable).type_id() : own->second;
  }

  const spirv::Module& module_;
  spirv::Editor& editor_;
  spirv::Builder builder_;
  Instruction first_;                   // of the function
  std::map<uint32_t, uint32_t> types_;  // of pointers to variables that are new
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> functions_;  // by types of their parameters
};

}  // namespace

void copy_arrays_by_element(spirv::Editor& editor) {
  ArrayCopies(editor).run();
}

}  // namespace heapsmith::rewrite
