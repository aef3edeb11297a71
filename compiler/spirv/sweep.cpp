// SPDX-License-Identifier: MIT
#include "spirv/sweep.h"

#include <algorithm>
#include <utility>

#include "spirv/grammar.h"
#include "spirv/operands.h"
#include "spirv/types.h"

namespace heapsmith::spirv {
namespace {

/// Number of the instruction in NonSemantic.Shader.DebugInfo.
constexpr uint32_t kDebugInfoNone = 0;

struct State {
  Editor& editor;
  const Module& module;
  std::vector<uint32_t> counts;
  std::vector<Edit> edits;              // of all others
  std::vector<uint8_t> gone;            // by id of the module: no longer defined
  std::vector<uint32_t> suspects = {};  // ids that lost a use
  uint32_t debugInfoNone = 0;           // the last OpExtInst that is one

  void run();

 private:
  void read_edits();
  void lose(uint32_t id);
  void gain(uint32_t id);
  void drop(Instruction instruction);
  void add(std::span<const uint32_t> words);
  void remove_dead();
  [[nodiscard]] bool has_new_ids(Instruction definition) const;
  void strip(Instruction instruction);
  void strip_group(Instruction use);
  void strip_debug_info(Instruction instruction);
  [[nodiscard]] bool is_gone(uint32_t id) const { return id < gone.size() && gone[id] != 0; }
};

void State::run() {
  read_edits();
  remove_dead();
  for (const Instruction instruction : module.declarations())
    strip(instruction);
}

void State::read_edits() {
  for (const Edit& edit : edits) {
    if (edit.kind == EditKind::Id)
      lose(module.words()[edit.begin]);
    else if (edit.kind == EditKind::Instructions)
      for (uint32_t word = edit.begin; word < edit.end; word += module.at(word).length())
        drop(module.at(word));
  }
  for (const Edit& edit : edits) {
    if (edit.kind == EditKind::Id)
      gain(editor.added(edit)[0]);
    else if (edit.kind == EditKind::Instructions)
      add(editor.added(edit));
  }
  for (size_t i = 0; i < kSectionCount; ++i)
    add(editor.appended(static_cast<Section>(i)));
}

void State::lose(uint32_t id) {
  if (id >= counts.size()) return;
  --counts[id];
  suspects.push_back(id);
}

void State::gain(uint32_t id) {
  if (id < counts.size()) ++counts[id];
}

void State::drop(Instruction instruction) {
  if (is_annotation(instruction.op())) return;
  const uint32_t result = result_word(instruction);
  for_each_id(module, instruction, get_rule(instruction.op()), [&](uint32_t word) {
    const uint32_t id = instruction.word(word);
    if (word == result)
      gone[id] = 1;
    else
      lose(id);
  });
}

void State::add(std::span<const uint32_t> words) {
  for (size_t i = 0; i < words.size(); i += words[i] >> 16) {
    const Instruction instruction(words.data() + i);
    if (is_annotation(instruction.op())) continue;
    const uint32_t result = result_word(instruction);
    for_each_id(module, instruction, get_rule(instruction.op()), [&](uint32_t word) {
      const uint32_t id = instruction.word(word);
      if (word != result)
        gain(id);
      else if (id < gone.size())
        gone[id] = 0;
    });
  }
}

/// Only what has no effect but to be referred to, and that nobody outside can set or ask for.
bool is_removable(spv::Op op) {
  switch (op) {
    case spv::Op::OpConstant:
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstantNull:
    case spv::Op::OpConstantComposite:
      return true;
    case spv::Op::OpTypeForwardPointer:
      return false;
    default:  // variables and specialization constants among them
      return is_type(op);
  }
}

void State::remove_dead() {
  while (!suspects.empty()) {
    const uint32_t id = suspects.back();
    suspects.pop_back();
    const Instruction definition = module.definition(id);
    if (counts[id] != 0 || gone[id] != 0 || !is_removable(definition.op())) continue;
    if (has_new_ids(definition)) continue;  // what it refers to now is not what drop() sees
    editor.remove(definition);
    drop(definition);
  }
}

bool State::has_new_ids(Instruction definition) const {
  const uint32_t word = module.word_index(definition);
  auto edit = std::ranges::lower_bound(edits, word, {}, &Edit::begin);
  for (; edit != edits.end() && edit->begin < word + definition.length(); ++edit)
    if (edit->kind == EditKind::Id) return true;
  return false;
}

void State::strip(Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
      strip_group(instruction);
      return;
    case spv::Op::OpDecorateId:
      if (is_gone(instruction.word(1)) || is_gone(instruction.word(3))) editor.remove(instruction);
      return;
    case spv::Op::OpExtInst:
      strip_debug_info(instruction);
      return;
    default:  // a name, a decoration with literals, or neither
      if (is_annotation(instruction.op()) && is_gone(instruction.word(1)))
        editor.remove(instruction);
  }
}

/// Takes those targets out of the list that are gone.
void State::strip_group(Instruction use) {
  const uint32_t step = use.op() == spv::Op::OpGroupMemberDecorate ? 2 : 1;
  std::vector<uint32_t> kept = {use.word(1)};
  for (uint32_t i = 2; i < use.length(); i += step) {
    if (is_gone(use.word(i))) continue;
    const auto target = use.words().subspan(i, step);
    kept.insert(kept.end(), target.begin(), target.end());
  }
  if (kept.size() + 1 == use.length()) return;
  if (kept.size() == 1)
    editor.remove(use);
  else
    editor.replace(use, use.op(), kept);
}

/// A DebugGlobalVariable stays, so that a debugger can say that the variable has no place: its
/// variable becomes DebugInfoNone.
void State::strip_debug_info(Instruction instruction) {
  if (module.has_literal_operands(instruction)) return;
  const uint32_t set = instruction.word(3);
  if (instruction.word(4) == kDebugInfoNone && instruction.length() == 5 &&
      module.definition(set).string(2).starts_with("NonSemantic.Shader.DebugInfo"))
    debugInfoNone = instruction.word(2);
  for (uint32_t i = 5; i < instruction.length(); ++i) {
    if (!is_gone(instruction.word(i))) continue;
    const uint32_t word = module.word_index(instruction);
    if (debugInfoNone == 0) {
      debugInfoNone = editor.new_id();
      editor.insert(word, spv::Op::OpExtInst,
                    {instruction.word(1), debugInfoNone, set, kDebugInfoNone});
    }
    editor.replace_id(word + i, debugInfoNone);
  }
}

}  // namespace

std::vector<uint8_t> sweep(Editor& editor, const Uses& uses) {
  State state{.editor = editor,
              .module = editor.module(),
              .counts = uses.counts(),
              .edits = editor.edits(),
              .gone = std::vector<uint8_t>(editor.module().bound())};
  state.run();
  return std::move(state.gone);
}

}  // namespace heapsmith::spirv
