// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "heapsmith/resolve.h"
#include "reflect/shader_interface.h"

namespace heapsmith::check {

/// Warns of a shader that reads descriptors of a heap by itself where the manifest has descriptors
/// too, and of which no external range keeps that heap's slots for the application. Whether indices
/// that are no constants stay within such a range is the application's affair.
void check_own_heap_reads(const reflect::ShaderInterface& shader, const std::string& file,
                          const Manifest& manifest, const SlotLayout& slots,
                          Diagnostics& diagnostics);

}  // namespace heapsmith::check
