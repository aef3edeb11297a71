// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "check/findings.h"
#include "check/lint_mappings.h"
#include "reflect/shader_interface.h"

namespace heapsmith::check {

/// What a shader reads of the heaps by itself, in bytes that it knows: strides below the size of
/// the device's descriptors, and strides and offsets that are not aligned (VUID 11348 to 11350,
/// 11383, 11384). Those that are expressions of OpConstantSizeOfEXT fit every device. False if it
/// found any.
bool lint_heap_accesses(const reflect::ShaderInterface& shader, const std::string& file,
                        const LintedDevice& device, Findings& findings);

}  // namespace heapsmith::check
