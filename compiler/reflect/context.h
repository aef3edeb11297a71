// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "spirv/annotations.h"
#include "spirv/constants.h"
#include "spirv/module.h"

namespace heapsmith::reflect {

/// What every part of reflection reads, and where it reports.
struct Context {
  const spirv::Module& module;
  const spirv::Annotations& annotations;
  const spirv::Constants& constants;
  const std::string& file;
  Diagnostics& diagnostics;
};

}  // namespace heapsmith::reflect
