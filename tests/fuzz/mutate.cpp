// SPDX-License-Identifier: MIT
#include "fuzz/mutate.h"

#include <algorithm>
#include <array>

#include "spirv/grammar.h"
#include "spirv/module.h"

namespace fuzz {
namespace {

constexpr size_t kHeaderWords = 5;
constexpr size_t kMostWords = 1u << 16;

uint64_t below(Random& random, uint64_t end) {
  return end == 0 ? 0 : random() % end;
}

// Where instructions begin; stops where the lengths do not add up.
std::vector<size_t> starts(const std::vector<uint32_t>& words) {
  std::vector<size_t> found;
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) break;
    found.push_back(at);
    at += length;
  }
  return found;
}

uint32_t interesting(const std::vector<uint32_t>& words, Random& random) {
  constexpr std::array<uint32_t, 14> kValues = {
      0, 1, 2, 3, 4, 5, 31, 32, 64, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
  switch (below(random, 3)) {
    case 0:
      return kValues[below(random, kValues.size())];
    case 1:  // an id, most likely
      return static_cast<uint32_t>(
          1 + below(random, words.size() > 3 ? std::min(words[3], 100000u) : 8));
    default:
      return static_cast<uint32_t>(random());
  }
}

using Words = std::vector<uint32_t>;

// Index of the result id in an instruction; 0: it has none.
size_t result_index(const uint32_t* instruction) {
  const heapsmith::spirv::Instruction view(instruction);
  const bool isKnown = heapsmith::spirv::find_rule(*instruction & 0xFFFFu) != nullptr;
  if (!isKnown || view.result_id() == 0) return 0;
  return view.type_id() != 0 ? 2 : 1;
}

void change_operand(Words& words, Random& random) {
  const auto all = starts(words);
  if (all.empty()) return;
  const size_t at = all[below(random, all.size())];
  const size_t length = words[at] >> 16;
  if (length < 2) return;
  const size_t operand = 1 + below(random, length - 1);
  // Results keep their ids, or hardly a module would get past the parser.
  if (operand != result_index(&words[at]) || below(random, 16) == 0)
    words[at + operand] = interesting(words, random);
}

void change_opcode(Words& words, Random& random) {
  const auto all = starts(words);
  if (all.empty()) return;
  const size_t from = all[below(random, all.size())];
  const size_t to = all[below(random, all.size())];
  words[to] = (words[to] & 0xFFFF0000u) | (words[from] & 0xFFFFu);
}

void copy_instructions(Words& words, const Words& source, Random& random) {
  const auto from = starts(source);
  const auto to = starts(words);
  if (from.empty() || to.empty()) return;
  const size_t first = below(random, from.size());
  const size_t last = std::min(from.size() - 1, first + below(random, 6));
  Words piece(source.begin() + from[first],
              source.begin() + from[last] + (source[from[last]] >> 16));
  for (size_t at = 0; at < piece.size(); at += piece[at] >> 16) {
    const size_t result = result_index(&piece[at]);
    if (result != 0 && result < (piece[at] >> 16)) piece[at + result] = words[3]++;
  }
  words.insert(words.begin() + to[below(random, to.size())], piece.begin(), piece.end());
}

void remove_instructions(Words& words, Random& random) {
  const auto all = starts(words);
  if (all.empty()) return;
  const size_t first = below(random, all.size());
  const size_t last = std::min(all.size() - 1, first + below(random, 4));
  words.erase(words.begin() + all[first], words.begin() + all[last] + (words[all[last]] >> 16));
}

void change_length(Words& words, Random& random) {
  const auto all = starts(words);
  if (all.empty()) return;
  uint32_t& head = words[all[below(random, all.size())]];
  head = (head & 0xFFFFu) | static_cast<uint32_t>(below(random, 40)) << 16;
}

void damage_word(Words& words, Random& random) {
  if (!words.empty()) words[below(random, words.size())] ^= 1u << below(random, 32);
}

void truncate(Words& words, Random& random) {
  words.resize(below(random, words.size() + 1));
}

}  // namespace

void mutate(Words& words, std::span<const Words> seeds, Random& random) {
  const uint64_t times = 1 + below(random, 6);
  for (uint64_t i = 0; i < times; ++i) {
    switch (below(random, 16)) {
      case 0:
        change_opcode(words, random);
        break;
      case 1:
      case 2:
        copy_instructions(words, Words(words), random);
        break;
      case 3:
      case 4:
        copy_instructions(words, seeds[below(random, seeds.size())], random);
        break;
      case 5:
      case 6:
        remove_instructions(words, random);
        break;
      case 7:
        change_length(words, random);
        break;
      case 8:
        damage_word(words, random);
        break;
      case 9:
        if (below(random, 8) == 0) truncate(words, random);
        break;
      default:
        change_operand(words, random);
        break;
    }
  }
  if (words.size() > kMostWords) words.resize(kMostWords);
}

}  // namespace fuzz
