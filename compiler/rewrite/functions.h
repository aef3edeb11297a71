// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.h"

/// Where functions stand, and who calls them.
namespace heapsmith::rewrite {

/// Index of the function that the instruction at `word` belongs to, which must belong to one.
[[nodiscard]] uint32_t function_at(const spirv::Module& module, uint32_t word);

/// Whether it is that of an OpEntryPoint, which nothing can call.
[[nodiscard]] bool is_entry_point(const spirv::Module& module, uint32_t functionId);

/// Where to insert what a whole function may use: behind the variables of its first block.
[[nodiscard]] uint32_t entry_word(const spirv::Module& module, const spirv::Function& function);

/// An OpEntryPoint, and the indices of the functions that it reaches by calls, its own first.
struct CallTree {
  spirv::Instruction entryPoint;
  std::vector<uint32_t> functions;
};

/// Of all entry points, in module order.
[[nodiscard]] std::vector<CallTree> find_call_trees(const spirv::Module& module);

/// The word of the first interface variable of an OpEntryPoint, behind the name.
[[nodiscard]] uint32_t first_interface_word(spirv::Instruction entryPoint);

}  // namespace heapsmith::rewrite
