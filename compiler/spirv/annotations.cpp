// SPDX-License-Identifier: MIT
#include "spirv/annotations.h"

#include <algorithm>
#include <format>
#include <utility>

namespace heapsmith::spirv {
namespace {

struct Entry {
  uint32_t target = 0;
  Annotation annotation;
};

/// Decorations may be put on a group, and the group on many targets: the product must stay sane.
constexpr size_t kMaxGroupDecorations = 1u << 22;

struct Collector {
  const Module& module;
  std::vector<uint32_t> nameWords = {};
  std::vector<uint32_t> memberNameWords = {};
  std::vector<Entry> entries = {};
  std::vector<Instruction> groupUses = {};

  void read(Instruction instruction);
  [[nodiscard]] bool apply_groups();

 private:
  void add(Instruction instruction, uint32_t member, uint32_t kindWord);
};

void Collector::read(Instruction instruction) {
  switch (instruction.op()) {
    case spv::Op::OpName:
      nameWords[instruction.word(1)] = module.word_index(instruction);
      break;
    case spv::Op::OpMemberName:
      memberNameWords.push_back(module.word_index(instruction));
      break;
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
      add(instruction, kNoMember, 2);
      break;
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
    case spv::Op::OpMemberDecorateIdEXT:
      add(instruction, instruction.word(2), 3);
      break;
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
      groupUses.push_back(instruction);
      break;
    default:  // neither a name nor a decoration
      break;
  }
}

void Collector::add(Instruction instruction, uint32_t member, uint32_t kindWord) {
  const uint32_t word = module.word_index(instruction);
  entries.push_back({instruction.word(1),
                     {.kind = static_cast<spv::Decoration>(instruction.word(kindWord)),
                      .member = member,
                      .word = word + kindWord + 1,
                      .end = word + instruction.length()}});
}

/// Appends to `entries`, for each use, copies of the group's decorations with the use's target.
bool Collector::apply_groups() {
  if (groupUses.empty()) return true;
  std::vector<uint32_t> heads(module.bound(),
                              0);  // 1-based index of an id's last entry, then chained
  std::vector<uint32_t> chain(entries.size() + 1, 0);
  for (uint32_t i = 0; i < entries.size(); ++i)
    chain[i + 1] = std::exchange(heads[entries[i].target], i + 1);

  const size_t limit = entries.size() + kMaxGroupDecorations;
  for (const Instruction use : groupUses) {
    const bool members = use.op() == spv::Op::OpGroupMemberDecorate;
    for (uint32_t i = 2; i < use.length(); i += members ? 2 : 1) {
      for (uint32_t entry = heads[use.word(1)]; entry != 0; entry = chain[entry]) {
        Entry copy = entries[entry - 1];
        copy.target = use.word(i);
        if (members) copy.annotation.member = use.word(i + 1);
        entries.push_back(copy);
        if (entries.size() > limit) return false;
      }
    }
  }
  return true;
}

/// What an OpMemberName names.
std::pair<uint32_t, uint32_t> member_key(Instruction instruction) {
  return {instruction.word(1), instruction.word(2)};
}

}  // namespace

Diagnosed<Annotations> Annotations::collect(const Module& module, const std::string& file,
                                            Diagnostics& diagnostics) {
  Collector collector{.module = module};
  collector.nameWords.resize(module.bound());
  for (const Instruction instruction : module.declarations())
    collector.read(instruction);
  if (!collector.apply_groups())
    return diagnostics.error(
        Code::UnsupportedSpirv, {.file = file},
        std::format("the module's decoration groups stand for more than {} decorations",
                    kMaxGroupDecorations));

  Annotations result(module);
  result.nameWords_ = std::move(collector.nameWords);
  result.memberNameWords_ = std::move(collector.memberNameWords);
  std::ranges::stable_sort(result.memberNameWords_, {},
                           [&](uint32_t word) { return member_key(module.at(word)); });
  // A counting sort by target keeps the module's order within each id.
  result.firsts_.resize(size_t{module.bound()} + 1);
  for (const Entry& entry : collector.entries)
    ++result.firsts_[entry.target + 1];
  for (size_t id = 1; id < result.firsts_.size(); ++id)
    result.firsts_[id] += result.firsts_[id - 1];
  std::vector<uint32_t> next(result.firsts_.begin(), result.firsts_.end() - 1);
  result.all_.resize(collector.entries.size());
  for (const Entry& entry : collector.entries)
    result.all_[next[entry.target]++] = entry.annotation;
  return result;
}

std::string Annotations::member_name(uint32_t id, uint32_t member) const {
  const auto key = [&](uint32_t word) { return member_key(module_->at(word)); };
  const auto found = std::ranges::lower_bound(memberNameWords_, std::pair(id, member), {}, key);
  if (found == memberNameWords_.end() || key(*found) != std::pair(id, member)) return {};
  return module_->at(*found).string(3);
}

std::string Annotations::name(uint32_t id) const {
  const uint32_t word = id < nameWords_.size() ? nameWords_[id] : 0;
  return word == 0 ? std::string() : module_->at(word).string(2);
}

std::span<const Annotation> Annotations::of(uint32_t id) const {
  if (size_t{id} + 1 >= firsts_.size()) return {};
  return std::span(all_).subspan(firsts_[id], firsts_[id + 1] - firsts_[id]);
}

const Annotation* Annotations::find(uint32_t id, spv::Decoration kind) const {
  for (const Annotation& annotation : of(id))
    if (annotation.kind == kind && annotation.member == kNoMember) return &annotation;
  return nullptr;
}

uint32_t Annotations::operand(const Annotation& annotation) const {
  return annotation.word < annotation.end ? module_->words()[annotation.word] : 0;
}

std::string Annotations::text(const Annotation& annotation) const {
  return string_literal(
      module_->words().subspan(annotation.word, annotation.end - annotation.word));
}

}  // namespace heapsmith::spirv
