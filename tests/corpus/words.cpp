// SPDX-License-Identifier: MIT
#include "words.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace corpus {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<uint32_t> read_words(const std::filesystem::path& path) {
  const std::string bytes = read_text(path);
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

}  // namespace corpus
