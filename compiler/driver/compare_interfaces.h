// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reflect/shader_interface.h"

namespace heapsmith::driver {

/// Device features that `found` needs and `wanted` does not: "a", or "a or b" where one is enough.
[[nodiscard]] std::vector<std::string> further_features(const reflect::ShaderInterface& wanted,
                                                        const reflect::ShaderInterface& found);

/// What an application would notice if it got `found`, a shader with one entry point, in place of
/// the entry point of that index in `wanted`; empty: nothing. Names do not matter, nor what the
/// shader declares and does not use. Features are further_features()' affair.
[[nodiscard]] std::string compare_interfaces(const reflect::ShaderInterface& wanted,
                                             size_t entryPoint,
                                             const reflect::ShaderInterface& found);

}  // namespace heapsmith::driver
