// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/functions.h"

namespace heapsmith::rewrite {

/// The variables of a storage class that each entry point uses, or lists in its interface: the only
/// one of a module with one entry point in any case.
[[nodiscard]] std::vector<std::vector<uint32_t>> find_block_variables(
    const Context& context, std::span<const CallTree> trees, spv::StorageClass storage);

}  // namespace heapsmith::rewrite
