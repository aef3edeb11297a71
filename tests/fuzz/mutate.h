// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace fuzz {

using Random = std::mt19937_64;

/// Changes a SPIR-V module in a few places, mostly in ways that keep its form: operands that become
/// other ids, instructions that are repeated, moved, left out or taken from another module; and now
/// and then plain damage to words and length.
void mutate(std::vector<uint32_t>& words, std::span<const std::vector<uint32_t>> seeds,
            Random& random);

}  // namespace fuzz
