// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "outcome.h"

namespace equality {

/// Prints the counts, and all that the lists (corpus/explanations.h) do not explain: differences,
/// messages of the layer, crashes. True if that is nothing and something was compared.
[[nodiscard]] bool report(const std::vector<Outcome>& outcomes,
                          const std::vector<std::string>& explanations);

/// The same for shifted slots: modules that write anything should come out different. True if
/// nineteen of twenty do: some write the same by chance, since numbers are few, and are listed.
[[nodiscard]] bool report_shifted(const std::vector<Outcome>& outcomes);

}  // namespace equality
