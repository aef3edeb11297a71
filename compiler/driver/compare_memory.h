// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "spirv/annotations.h"
#include "spirv/module.h"

namespace heapsmith::driver {

/// A module, and what it says of its ids.
struct AnnotatedModule {
  const spirv::Module& module;
  const spirv::Annotations& annotations;
};

/// What `found`, a shader with one entry point, says less of memory than the entry point of that
/// index in `wanted`, though it may do the same otherwise: what is coherent or volatile, and what
/// barriers and atomic operations order. Or what it promises more: that nothing else reaches its
/// memory. Empty: nothing.
[[nodiscard]] std::string compare_memory(const AnnotatedModule& wanted, size_t entryPoint,
                                         const AnnotatedModule& found);

}  // namespace heapsmith::driver
