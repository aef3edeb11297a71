// SPDX-License-Identifier: MIT
#include "spirv/editor.h"

#include <algorithm>
#include <tuple>

#include "spirv/uses.h"

namespace heapsmith::spirv {
namespace {

/// The parts of a module in the order that SPIR-V's logical layout gives them.
enum class Part : uint8_t {
  Capabilities,
  Extensions,
  EntryPoints,  ///< imports and the memory model before them, execution modes behind them
  Sources,
  Names,
  Processed,
  Annotations,
  Declarations
};

Part part_of(spv::Op op) {
  switch (op) {
    case spv::Op::OpCapability:
      return Part::Capabilities;
    case spv::Op::OpExtension:
      return Part::Extensions;
    case spv::Op::OpExtInstImport:
    case spv::Op::OpMemoryModel:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return Part::EntryPoints;
    case spv::Op::OpString:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpSource:
    case spv::Op::OpSourceContinued:
      return Part::Sources;
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
      return Part::Names;
    case spv::Op::OpModuleProcessed:
      return Part::Processed;
    case spv::Op::OpDecorationGroup:
      return Part::Annotations;
    default:  // names are sorted out already; whatever is no decoration declares something
      return is_annotation(op) ? Part::Annotations : Part::Declarations;
  }
}

Part part_of(Section section) {
  constexpr std::array<Part, kSectionCount> kParts = {
      Part::Capabilities, Part::Extensions, Part::Names, Part::Annotations, Part::Declarations};
  return kParts[static_cast<size_t>(section)];
}

/// The word behind the last instruction that is of each section, or of a part before it.
std::array<uint32_t, kSectionCount> find_section_ends(const Module& module) {
  std::array<uint32_t, kSectionCount> ends{};
  ends.fill(kHeaderWords);
  for (const Instruction instruction : module.declarations()) {
    const Part part = part_of(instruction.op());
    if (part == Part::Declarations) break;
    for (size_t i = 0; i < kSectionCount; ++i)
      if (part <= part_of(static_cast<Section>(i)))
        ends[i] = module.word_index(instruction) + instruction.length();
  }
  ends[static_cast<size_t>(Section::Declarations)] = module.functions_word();
  return ends;
}

}  // namespace

void Editor::raise_version(uint32_t version) {
  leastVersion_ = std::max(leastVersion_, version);
}

uint32_t Editor::version() const {
  return std::max(leastVersion_, module_.version());
}

void Editor::add_words(std::vector<uint32_t>& words, spv::Op op, Operands operands) {
  const size_t length = operands.words().size() + 1;
  tooLong_ |= length > 0xFFFFu;
  words.push_back(static_cast<uint32_t>(length << 16) | static_cast<uint32_t>(op));
  words.insert(words.end(), operands.words().begin(), operands.words().end());
}

void Editor::insert(uint32_t word, spv::Op op, Operands operands) {
  const auto first = static_cast<uint32_t>(added_.size());
  add_words(added_, op, operands);
  const auto end = static_cast<uint32_t>(added_.size());
  edits_.push_back({.begin = word, .end = word, .firstAdded = first, .endAdded = end});
}

void Editor::replace(Instruction instruction, spv::Op op, Operands operands) {
  insert(module_.word_index(instruction), op, operands);
  edits_.back().end += instruction.length();
}

void Editor::replace_operand(EditKind kind, uint32_t word, uint32_t value) {
  const auto first = static_cast<uint32_t>(added_.size());
  added_.push_back(value);
  edits_.push_back(
      {.kind = kind, .begin = word, .end = word + 1, .firstAdded = first, .endAdded = first + 1});
}

void Editor::remove(Instruction instruction) {
  const uint32_t word = module_.word_index(instruction);
  edits_.push_back(
      {.begin = word, .end = word + instruction.length(), .firstAdded = 0, .endAdded = 0});
}

void Editor::append(Section section, spv::Op op, Operands operands) {
  add_words(sections_[static_cast<size_t>(section)], op, operands);
}

bool Editor::fits() const {
  return !tooLong_ && bound_ <= kMaxBound;
}

std::vector<Edit> Editor::edits() const {
  std::vector<Edit> edits = edits_;
  const auto key = [](const Edit& edit) { return std::tuple(edit.begin, edit.end != edit.begin); };
  std::ranges::stable_sort(edits, {}, key);
  uint32_t behind = 0;
  std::erase_if(edits, [&](const Edit& edit) {
    if (edit.begin < behind) return true;
    behind = edit.end;
    return false;
  });
  return edits;
}

std::vector<uint32_t> Editor::write() const {
  const auto words = module_.words();
  const auto ends = find_section_ends(module_);
  std::vector<uint32_t> result;
  size_t length = words.size() + added_.size();
  for (const auto& section : sections_)
    length += section.size();
  result.reserve(length);

  uint32_t copied = 0;
  size_t section = 0;
  const auto copy_to = [&](uint32_t word) {
    result.insert(result.end(), words.begin() + copied, words.begin() + word);
    copied = word;
  };
  const auto close_sections = [&](uint32_t word) {
    for (; section < kSectionCount && ends[section] <= word; ++section) {
      if (ends[section] > copied) copy_to(ends[section]);
      result.insert(result.end(), sections_[section].begin(), sections_[section].end());
    }
  };
  for (const Edit& edit : edits()) {
    close_sections(edit.begin);
    copy_to(edit.begin);
    result.insert(result.end(), added_.begin() + edit.firstAdded, added_.begin() + edit.endAdded);
    copied = edit.end;
  }
  close_sections(static_cast<uint32_t>(words.size()));
  copy_to(static_cast<uint32_t>(words.size()));
  result[1] = version();
  result[3] = bound_;
  return result;
}

std::vector<uint32_t> string_words(std::string_view text) {
  std::vector<uint32_t> words(text.size() / 4 + 1);
  for (size_t i = 0; i < text.size(); ++i)
    words[i / 4] |= uint32_t{static_cast<unsigned char>(text[i])} << (8 * (i % 4));
  return words;
}

}  // namespace heapsmith::spirv
