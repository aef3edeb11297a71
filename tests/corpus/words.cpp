// SPDX-License-Identifier: MIT
#include "words.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace corpus {

std::vector<uint32_t> read_words(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

}  // namespace corpus
