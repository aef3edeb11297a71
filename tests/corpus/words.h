// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace corpus {

/// The whole words of a file; none if it cannot be read.
[[nodiscard]] std::vector<uint32_t> read_words(const std::filesystem::path& path);

/// All of its bytes; none if it cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);

}  // namespace corpus
