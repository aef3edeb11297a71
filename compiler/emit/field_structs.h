// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "heapsmith/manifest.h"

namespace heapsmith::emit {

/// C++ structs for the bytes that fields lie in, with static_asserts on their offsets: the push
/// data and the shader record of each program (namespaces push_data and shader_records) and each
/// indirect block (namespace indirect_layouts). Empty where no field needs one. To stand inside a
/// namespace; needs <cstddef> and <cstdint>.
[[nodiscard]] std::string field_structs(const Manifest& manifest);

}  // namespace heapsmith::emit
