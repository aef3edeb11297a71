// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "reflect/shader_interface.h"

namespace heapsmith::driver {

/// What an application would notice if it got `found` in place of `wanted`, two forms of one shader
/// with one entry point each; empty: nothing. Names do not matter, nor what the shader declares and
/// does not use.
[[nodiscard]] std::string compare_interfaces(const reflect::ShaderInterface& wanted,
                                             const reflect::ShaderInterface& found);

}  // namespace heapsmith::driver
