// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "case.h"
#include "pools.h"
#include "support/launch.h"

namespace source_matrix {

/// What there is to compare with.
enum class Check : uint8_t {
  Results,  ///< every word, and every write
  Nothing,  ///< for drivers that execute nothing, where only the validation layer can complain
};

/// Runs a case at every pick. Yields what is wrong, a line each.
[[nodiscard]] std::vector<std::string> run_case(TestDevice& device, Pools& pools,
                                                gpu_test::Results& results, const Case& test,
                                                const std::filesystem::path& folder, Check check);

/// More words than any case writes.
inline constexpr uint32_t kMostWords = 128;

}  // namespace source_matrix
