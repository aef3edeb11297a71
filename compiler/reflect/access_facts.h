// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

#include "reflect/uses.h"

namespace heapsmith::reflect {

/// What an instruction that makes no resource of a resource does to the ones among its operands.
struct AccessFacts {
  uint32_t word = 0;  ///< the operand that `first` is about; 0: all of them
  uint16_t first = 0;
  uint16_t others = 0;  ///< about the other operands
};

/// An instruction that is not known reads and writes all that it is given.
[[nodiscard]] AccessFacts access_facts(spv::Op op, std::string_view name);

}  // namespace heapsmith::reflect
