// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace corpus {

/// The inputs of one call of `heapsmith map`.
struct Unit {
  std::string name;
  std::vector<std::filesystem::path> files;
};

struct Units {
  size_t modules = 0;
  size_t pairs = 0;
  std::vector<Unit> units;  ///< each module alone, then the pairs
};

/// Every module of a folder on its own, and every fragment shader once more, with a vertex shader
/// out of the same package that gives it what it reads and agrees on the types of bindings, if
/// there is one. A package is what comes before the last underscore of a file's name.
[[nodiscard]] Units find_units(const std::filesystem::path& folder);

}  // namespace corpus
