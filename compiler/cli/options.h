// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "driver/lint.h"
#include "driver/map.h"
#include "driver/reflect.h"
#include "driver/resolve.h"
#include "driver/starting_policy.h"

namespace heapsmith::cli {

struct ReflectCommand {
  driver::ShaderOptions shaders;
  std::string outputFile;
  driver::ReflectionFormat format{};
};

struct ProfilesCommand {};

/// Nothing is left to do: help or a version was asked for, or the command line is wrong.
struct Finished {
  int exitCode = 0;
  std::string output;  ///< for standard output
  std::string error;   ///< for standard error
};

using Command = std::variant<driver::MapOptions, driver::LintOptions, driver::StartingPolicyOptions,
                             ReflectCommand, driver::ResolveCommand, ProfilesCommand, Finished>;

struct Options {
  Command command;
  bool jsonDiagnostics = false;
};

/// Reads the command line, "@file" response files included. Wrong usage is Finished with exit
/// code 2.
[[nodiscard]] Options parse_options(const std::vector<std::string>& arguments);

}  // namespace heapsmith::cli
