// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipelines_units.h"
#include "pipelines_workers.h"

namespace corpus {

/// Prints the counts and everything that the file of explanations (pipelines_explained.json) does
/// not explain. True if that is nothing.
[[nodiscard]] bool report(const Units& units, const std::vector<Outcome>& outcomes,
                          const std::string& explanations);

}  // namespace corpus
