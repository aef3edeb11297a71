// SPDX-License-Identifier: MIT
#pragma once

#include <spirv-tools/libspirv.h>
#include <string>
#include <string_view>

#include "spirv/validate.h"

/// What SPIRV-Tools wants to be told, and how it speaks.
namespace heapsmith::spirv {

[[nodiscard]] spv_target_env tools_environment(TargetEnvironment environment);

/// A diagnostic is one line; SPIRV-Tools adds the disassembled instruction on further ones.
[[nodiscard]] std::string first_line(std::string_view message);

}  // namespace heapsmith::spirv
