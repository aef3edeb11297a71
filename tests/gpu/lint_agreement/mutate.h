// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>
#include <vector>

#include "mapping/vulkan_mapping.h"

namespace lint_agreement {

/// Changes one or two members of the mappings, or drops one or doubles one: to values at which
/// rules begin or end to be broken. The same generator gives the same mappings everywhere.
void mutate(std::vector<heapsmith::mapping::VulkanMapping>& mappings, std::minstd_rand& random);

/// For people: the members that count.
[[nodiscard]] std::string describe(const heapsmith::mapping::VulkanMapping& mapping);

}  // namespace lint_agreement
