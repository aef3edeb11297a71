// SPDX-License-Identifier: MIT
#include "spirv/builder.h"

#include <bit>

#include "base/check.h"
#include "spirv/types.h"
#include "spirv/uses.h"

namespace heapsmith::spirv {
namespace {

constexpr uint32_t value(auto enumerant) {
  return static_cast<uint32_t>(enumerant);
}

/// Whether equal words mean the same thing.
bool is_unique(spv::Op op) {
  switch (op) {
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeStruct:
      return false;
    case spv::Op::OpConstant:
    case spv::Op::OpConstantSizeOfEXT:
      return true;
    default:  // other constants are never asked for
      return is_type(op);
  }
}

uint32_t hash_of(std::span<const uint32_t> words) {
  const uint32_t resultWord = result_word(Instruction(words.data()));
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < words.size(); ++i)
    if (i != resultWord) hash = (std::rotl(hash, 5) ^ words[i]) * 0x9E3779B1u;
  return hash ^ hash >> 16;  // the low bits know only the low bits of the words
}

bool equal_without_result(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  const uint32_t resultWord = result_word(Instruction(a.data()));
  if (a.size() != b.size()) return false;
  for (uint32_t i = 0; i < a.size(); ++i)
    if (i != resultWord && a[i] != b[i]) return false;
  return true;
}

}  // namespace

Builder::Builder(Editor& editor) : editor_(editor) {}

/// The first of equal ones stays: the others may come too late for the first one's users.
void Builder::index_module() {
  slots_.resize(64);
  for (const Instruction instruction : editor_.module().declarations()) {
    if (!is_unique(instruction.op())) continue;
    const uint32_t hash = hash_of(instruction.words());
    Slot& slot = find(hash, instruction.words());
    if (slot.id == 0) occupy(slot, hash, instruction.result_id());
  }
}

Builder::Slot& Builder::find(uint32_t hash, std::span<const uint32_t> words) {
  size_t i = hash & (slots_.size() - 1);
  for (; slots_[i].id != 0; i = (i + 1) & (slots_.size() - 1))
    if (slots_[i].hash == hash && equal_without_result(words_of(slots_[i].id), words)) break;
  return slots_[i];
}

void Builder::occupy(Slot& slot, uint32_t hash, uint32_t id) {
  slot = {.hash = hash, .id = id};
  if (++used_ * 2 > slots_.size()) grow();
}

void Builder::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    size_t i = slot.hash & (slots_.size() - 1);
    while (slots_[i].id != 0)
      i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
}

std::span<const uint32_t> Builder::words_of(uint32_t id) const {
  const Module& module = editor_.module();
  if (id < module.bound()) return module.definition(id).words();
  return listed(newFirsts_[id - module.bound()]).words();
}

/// Appends the declaration to newWords_, its result left open.
uint32_t Builder::list_words(spv::Op op, uint32_t type, Operands operands) {
  const auto first = static_cast<uint32_t>(newWords_.size());
  const auto length = static_cast<uint32_t>(operands.words().size()) + (type != 0 ? 3u : 2u);
  newWords_.push_back(length << 16 | value(op));
  if (type != 0) newWords_.push_back(type);
  newWords_.push_back(0);
  newWords_.insert(newWords_.end(), operands.words().begin(), operands.words().end());
  return first;
}

/// Gives the declaration at the end of newWords_ an id.
uint32_t Builder::name_words(uint32_t first) {
  const uint32_t id = editor_.new_id();
  newWords_[first + result_word(listed(first))] = id;
  newFirsts_.resize(id - editor_.module().bound() + 1);
  newFirsts_.back() = first;
  return id;
}

Builder::Sought Builder::seek(spv::Op op, uint32_t type, Operands operands) {
  if (slots_.empty()) index_module();
  Sought sought;
  sought.first = list_words(op, type, operands);
  sought.hash = hash_of(listed(sought.first).words());
  sought.id = find(sought.hash, listed(sought.first).words()).id;
  if (sought.id != 0) newWords_.resize(sought.first);
  return sought;
}

uint32_t Builder::adopt(const Sought& sought) {
  Slot& slot = find(sought.hash, listed(sought.first).words());
  const uint32_t id = name_words(sought.first);
  occupy(slot, sought.hash, id);
  return id;
}

uint32_t Builder::declare_once(spv::Op op, uint32_t type, Operands operands) {
  const Sought sought = seek(op, type, operands);
  if (sought.id != 0) return sought.id;
  const uint32_t id = adopt(sought);
  editor_.append(Section::Declarations, op, listed(sought.first).words().subspan(1));
  return id;
}

uint32_t Builder::declare_before(uint32_t word, spv::Op op, Operands operands) {
  const Sought sought = seek(op, 0, operands);
  uint32_t id = sought.id;
  if (id == 0) {
    id = adopt(sought);
  } else {
    const uint32_t definition = editor_.module().definition_word(id);
    HEAPSMITH_CHECK(definition != 0);  // else it stands at the end already
    if (definition < word) return id;
    editor_.remove(editor_.module().at(definition));
  }
  editor_.insert(word, op, words_of(id).subspan(1));
  return id;
}

uint32_t Builder::declare(spv::Op op, uint32_t type, Operands operands) {
  const uint32_t first = list_words(op, type, operands);
  const uint32_t id = name_words(first);
  editor_.append(Section::Declarations, op, listed(first).words().subspan(1));
  return id;
}

uint32_t Builder::pointer_type(spv::StorageClass storage, uint32_t pointee) {
  return declare_once(spv::Op::OpTypePointer, 0, {value(storage), pointee});
}

uint32_t Builder::untyped_pointer_type(spv::StorageClass storage) {
  return declare_once(spv::Op::OpTypeUntypedPointerKHR, 0, {value(storage)});
}

uint32_t Builder::uint_constant(uint32_t number) {
  return declare_once(spv::Op::OpConstant, uint_type(), {number});
}

uint32_t Builder::uint_operation(spv::Op op, uint32_t a, uint32_t b) {
  return declare_once(spv::Op::OpSpecConstantOp, uint_type(), {value(op), a, b});
}

void Builder::decorate(uint32_t id, spv::Decoration decoration) {
  editor_.append(Section::Annotations, spv::Op::OpDecorate, {id, value(decoration)});
}

void Builder::decorate(uint32_t id, spv::Decoration decoration, uint32_t operand) {
  editor_.append(Section::Annotations, spv::Op::OpDecorate, {id, value(decoration), operand});
}

void Builder::decorate_id(uint32_t id, spv::Decoration decoration, uint32_t operand) {
  editor_.append(Section::Annotations, spv::Op::OpDecorateId, {id, value(decoration), operand});
}

void Builder::decorate_member(uint32_t id, uint32_t member, spv::Decoration decoration) {
  editor_.append(Section::Annotations, spv::Op::OpMemberDecorate, {id, member, value(decoration)});
}

void Builder::name(uint32_t id, std::string_view text) {
  std::vector<uint32_t> words = {id};
  const auto string = string_words(text);
  words.insert(words.end(), string.begin(), string.end());
  editor_.append(Section::Names, spv::Op::OpName, words);
}

void Builder::require(spv::Capability capability) {
  const auto is_it = [&](Instruction instruction) {
    return instruction.op() == spv::Op::OpCapability && instruction.word(1) == value(capability);
  };
  for (const Instruction instruction : editor_.module().declarations()) {
    if (instruction.op() != spv::Op::OpCapability) break;
    if (is_it(instruction)) return;
  }
  const auto added = editor_.appended(Section::Capabilities);
  for (size_t i = 0; i < added.size(); i += 2)
    if (added[i + 1] == value(capability)) return;
  editor_.append(Section::Capabilities, spv::Op::OpCapability, {value(capability)});
}

void Builder::require_extension(std::string_view name) {
  for (const Instruction instruction : editor_.module().declarations()) {
    if (instruction.op() == spv::Op::OpMemoryModel) break;
    if (instruction.op() == spv::Op::OpExtension && instruction.string(1) == name) return;
  }
  const auto added = editor_.appended(Section::Extensions);
  for (size_t i = 0; i < added.size(); i += added[i] >> 16)
    if (Instruction(added.data() + i).string(1) == name) return;
  editor_.append(Section::Extensions, spv::Op::OpExtension, string_words(name));
}

}  // namespace heapsmith::spirv
