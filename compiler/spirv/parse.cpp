// SPDX-License-Identifier: MIT
#include "spirv/parse.h"

#include <bit>
#include <cstring>
#include <format>
#include <string_view>
#include <utility>

#include "spirv/check_types.h"
#include "spirv/grammar.h"
#include "spirv/operands.h"

namespace heapsmith::spirv {

class Parser {
 public:
  Parser(const std::string& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  Diagnosed<Module> run(std::span<const std::byte> bytes);

 private:
  bool read_words(std::span<const std::byte> bytes);
  bool check_header();
  bool read_instructions();
  bool refuse_instruction(uint32_t word);
  bool read_special(uint32_t word, const InstructionRule& rule);
  [[nodiscard]] bool has_good_ids(uint32_t word, const InstructionRule& rule,
                                  uint32_t length) const;
  bool check_operands(uint32_t word, const InstructionRule& rule, uint32_t length);
  bool check_ids(uint32_t word, uint32_t mask);
  bool check_id_tail(uint32_t word, uint32_t first, uint32_t length);
  bool check_id(uint32_t word);
  bool refuse_id(uint32_t word);
  [[nodiscard]] bool is_string(uint32_t begin, uint32_t end) const;
  [[nodiscard]] bool is_plain_enumerant(uint32_t word, const InstructionRule& rule,
                                        uint32_t length) const;
  bool check_slowly(uint32_t word, const InstructionRule& rule, uint32_t length);
  bool define(uint32_t word, const InstructionRule& rule);
  bool check_place(uint32_t word, const InstructionRule& rule);
  bool check_unusual_place(uint32_t word, const InstructionRule& rule);
  bool note_function_boundary(uint32_t word, spv::Op op);
  bool fail(uint32_t word, std::string text);
  bool fail_operands(uint32_t word, const InstructionRule& rule, std::string_view what);

  const std::string& file_;
  Diagnostics& diagnostics_;
  Module module_;
  const uint32_t* words_ = nullptr;  // the module's
  bool inFunction_ = false;
};

Diagnosed<Module> Parser::run(std::span<const std::byte> bytes) {
  if (!read_words(bytes) || !check_header() || !read_instructions()) return diagnostics_.failed();
  if (const auto defect = find_type_defect(module_)) {
    fail(defect->word, defect->text);
    return diagnostics_.failed();
  }
  return std::move(module_);
}

bool Parser::fail(uint32_t word, std::string text) {
  Place place;
  place.file = file_;
  place.byte = uint64_t{word} * 4;
  (void)diagnostics_.error(Code::MalformedSpirv, std::move(place),
                           std::format("{} (at word {})", text, word));
  return false;
}

bool Parser::fail_operands(uint32_t word, const InstructionRule& rule, std::string_view what) {
  return fail(word, std::format("{}: {}", rule.name, what));
}

bool Parser::read_words(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderWords * 4)
    return fail(
        0, std::format("the file has {} bytes, and a SPIR-V header alone has 20", bytes.size()));
  uint32_t magic = 0;
  std::memcpy(&magic, bytes.data(), 4);
  const bool swapped = magic == std::byteswap(kMagic);
  if (magic != kMagic && !swapped)
    return fail(
        0, std::format("the file begins with 0x{:08x} and not with SPIR-V's magic number", magic));
  if (bytes.size() % 4 != 0)
    return fail(static_cast<uint32_t>(bytes.size() / 4),
                std::format("the file has {} bytes, which is no multiple of 4", bytes.size()));
  if (bytes.size() / 4 > UINT32_MAX / 8)
    return fail(0, "the file is larger than any module can be that heapsmith handles");
  module_.words_.resize(bytes.size() / 4);
  std::memcpy(module_.words_.data(), bytes.data(), bytes.size());
  if (swapped)
    for (uint32_t& word : module_.words_)
      word = std::byteswap(word);
  return true;
}

bool Parser::check_header() {
  const uint32_t version = module_.version();
  const uint32_t major = (version >> 16) & 0xFFu;
  const uint32_t minor = (version >> 8) & 0xFFu;
  if ((version & 0xFF0000FFu) != 0 || major != 1 || minor > 6)
    return fail(1, std::format("version 0x{:08x} is none of SPIR-V 1.0 to 1.6", version));
  if (module_.bound() == 0) return fail(3, "the id bound is 0");
  if (module_.bound() > kMaxBound)
    return fail(3, std::format("the id bound {} is above SPIR-V's limit of {}", module_.bound(),
                               kMaxBound));
  if (module_.words_.size() == kHeaderWords)
    return fail(kHeaderWords, "there is nothing after the header");
  return true;
}

bool Parser::read_instructions() {
  module_.definitions_.assign(module_.bound(), 0);
  words_ = module_.words_.data();
  const uint32_t end = module_.end_word();
  for (uint32_t word = kHeaderWords; word < end;) {
    const uint32_t length = words_[word] >> 16;
    const InstructionRule* rule = find_rule(words_[word] & 0xFFFFu);
    // A length of 0 wraps around and is too large as well.
    if (length - 1 >= end - word || rule == nullptr) return refuse_instruction(word);
    if (module_.functionsWord_ != 0 && !check_place(word, *rule)) return false;
    if (!has_good_ids(word, *rule, length) && !check_operands(word, *rule, length)) return false;
    if (rule->hasResult && !define(word, *rule)) return false;
    if (rule->special && !read_special(word, *rule)) return false;
    word += length;
  }
  if (inFunction_) return fail(end, "the last function has no OpFunctionEnd");
  if (module_.functionsWord_ == 0) module_.functionsWord_ = end;
  return true;
}

/// Whether all is well with an instruction whose operands are ids, as those of most are. False
/// says nothing.
inline bool Parser::has_good_ids(uint32_t word, const InstructionRule& rule,
                                 uint32_t length) const {
  if (length < rule.minWords || rule.tail == Tail::IdPairs || !has_only_ids(rule, length))
    return false;
  if (length > rule.leadingWords && rule.tail == Tail::Nothing) return false;
  const uint32_t count = module_.bound() - 1;
  bool good = true;  // 0 wraps around and is above the bound too
  for (uint32_t i = 1; i < length; ++i)
    good &= words_[word + i] - 1 < count;
  return good;
}

bool Parser::refuse_instruction(uint32_t word) {
  const uint32_t length = words_[word] >> 16;
  const uint32_t left = module_.end_word() - word;
  if (length == 0) return fail(word, "an instruction has word count 0");
  if (length > left)
    return fail(
        word, std::format("an instruction has {} words, and the file only {} more", length, left));
  return fail(word, std::format("opcode {} is unknown", words_[word] & 0xFFFFu));
}

bool Parser::read_special(uint32_t word, const InstructionRule& rule) {
  const auto op = static_cast<spv::Op>(rule.opcode);
  if (op != spv::Op::OpExtInstImport) return note_function_boundary(word, op);
  // The debug information of OpenCL is the one whose operands are not all ids.
  const std::string name = module_.at(word).string(2);
  if (name.starts_with("OpenCL.") || name == "DebugInfo")
    module_.literalSets_.push_back(words_[word + 1]);
  return true;
}

bool Parser::check_operands(uint32_t word, const InstructionRule& rule, uint32_t length) {
  if (length < rule.minWords) return fail_operands(word, rule, "operands are missing");
  if (length <= rule.leadingWords) return check_ids(word, rule.idMask & leading_mask(length));
  switch (rule.tail) {
    case Tail::Nothing:
      return fail_operands(word, rule, "too many operands");
    case Tail::Ids:
      return check_ids(word, rule.idMask) && check_id_tail(word, rule.leadingWords, length);
    case Tail::IdPairs:
      if ((length - rule.leadingWords) % 2 != 0) break;
      return check_ids(word, rule.idMask) && check_id_tail(word, rule.leadingWords, length);
    case Tail::Literals:
      return check_ids(word, rule.idMask);
    case Tail::TypedLiteral:
      if (module_.literal_words(module_.at(word)) + rule.leadingWords == length)
        return check_ids(word, rule.idMask);
      break;
    case Tail::String:
      if (is_string(word + rule.leadingWords, word + length)) return check_ids(word, rule.idMask);
      break;
    case Tail::Enumerant:
      if (is_plain_enumerant(word, rule, length)) return check_ids(word, rule.idMask);
      break;
    case Tail::Mask:
      if (is_plain_mask(rule, module_.at(word))) return check_ids(word, rule.idMask);
      break;
    case Tail::Complex:
      break;
  }
  return check_slowly(word, rule, length);
}

inline bool Parser::check_ids(uint32_t word, uint32_t mask) {
  const uint32_t count = module_.bound() - 1;
  bool good = true;  // 0 wraps around and is above the bound too
  for (uint32_t left = mask; left != 0; left &= left - 1)
    good &= words_[word + static_cast<uint32_t>(std::countr_zero(left))] - 1 < count;
  if (good) return true;
  for (;; mask &= mask - 1)
    if (!check_id(word + static_cast<uint32_t>(std::countr_zero(mask)))) return false;
}

inline bool Parser::check_id_tail(uint32_t word, uint32_t first, uint32_t length) {
  if (module_.has_literal_operands(module_.at(word))) return true;
  for (uint32_t i = first; i < length; ++i)
    if (!check_id(word + i)) return false;
  return true;
}

inline bool Parser::check_id(uint32_t word) {
  const uint32_t id = words_[word];
  return id - 1 < module_.bound() - 1 || refuse_id(word);
}

bool Parser::refuse_id(uint32_t word) {
  if (words_[word] == 0) return fail(word, "0 is no id");
  return fail(word,
              std::format("id {} is not below the id bound {}", words_[word], module_.bound()));
}

/// Whether those words are a string and nothing else.
bool Parser::is_string(uint32_t begin, uint32_t end) const {
  const auto has_zero = [](uint32_t word) {
    return ((word - 0x01010101u) & ~word & 0x80808080u) != 0;
  };
  for (uint32_t word = begin; word + 1 < end; ++word)
    if (has_zero(words_[word])) return false;
  return has_zero(words_[end - 1]);
}

/// Whether the last operand is an enumerant with literal parameters, and all of those are there.
bool Parser::is_plain_enumerant(uint32_t word, const InstructionRule& rule, uint32_t length) const {
  const OperandRule& last = operand_rules(rule).back();
  const EnumerantRule* enumerant =
      find_enumerant(enumeration_rule(last.enumeration), words_[word + rule.leadingWords]);
  return enumerant != nullptr && enumerant->plain &&
         length == rule.leadingWords + 1u + enumerant->parameterCount;
}

bool Parser::check_slowly(uint32_t word, const InstructionRule& rule, uint32_t length) {
  const auto words = std::span(words_ + word, length);
  OperandReader reader(rule, words, module_.literal_words(module_.at(word)));
  for (Operand operand; reader.next(operand);)
    if (operand.kind <= OperandKind::Id && !check_id(word + operand.word)) return false;
  if (reader.error().empty()) return true;
  return fail(word + reader.error_word(), std::format("{}: {}", rule.name, reader.error()));
}

bool Parser::define(uint32_t word, const InstructionRule& rule) {
  const uint32_t id = module_.words_[word + (rule.hasType ? 2 : 1)];
  uint32_t& definition = module_.definitions_[id];
  if (definition != 0)
    return fail(word, std::format("id {} is defined twice, first at word {}", id, definition));
  definition = word;
  return true;
}

/// From the first function on, all stands in functions, and no declaration does.
inline bool Parser::check_place(uint32_t word, const InstructionRule& rule) {
  return (inFunction_ && !rule.declares) || check_unusual_place(word, rule);
}

bool Parser::check_unusual_place(uint32_t word, const InstructionRule& rule) {
  if (inFunction_) return fail(word, std::format("{} stands inside a function", rule.name));
  switch (static_cast<spv::Op>(rule.opcode)) {
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionParameter:  // refused with a better text
    case spv::Op::OpFunctionEnd:
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpNop:
    case spv::Op::OpExtInst:  // non-semantic ones may
    case spv::Op::OpExtInstWithForwardRefsKHR:
      return true;
    default:
      return fail(word, std::format("{} stands outside of any function", rule.name));
  }
}

bool Parser::note_function_boundary(uint32_t word, spv::Op op) {
  auto& functions = module_.functions_;
  if (op == spv::Op::OpFunction) {
    if (inFunction_) return fail(word, "OpFunction stands inside a function");
    if (module_.functionsWord_ == 0) module_.functionsWord_ = word;
    functions.push_back({.id = module_.words_[word + 2],
                         .beginWord = word,
                         .firstParameter = static_cast<uint32_t>(module_.parameters_.size())});
  } else if (!inFunction_) {
    return fail(word, "an instruction of a function stands outside of any");
  } else if (op == spv::Op::OpFunctionParameter) {
    module_.parameters_.push_back(module_.words_[word + 2]);
    ++functions.back().parameterCount;
  } else {
    functions.back().endWord = word + 1;
  }
  inFunction_ = op != spv::Op::OpFunctionEnd;
  return true;
}

Diagnosed<Module> parse_module(std::span<const std::byte> bytes, const std::string& file,
                               Diagnostics& diagnostics) {
  return Parser(file, diagnostics).run(bytes);
}

}  // namespace heapsmith::spirv
