// SPDX-License-Identifier: MIT
#include "spirv/optimize.h"

#include <spirv-tools/optimizer.hpp>

#include "spirv/tools_environment.h"

namespace heapsmith::spirv {

Diagnosed<std::vector<uint32_t>> optimize_module(std::span<const uint32_t> words,
                                                 TargetEnvironment environment,
                                                 const std::string& file,
                                                 Diagnostics& diagnostics) {
  spvtools::Optimizer optimizer(tools_environment(environment));
  std::string said;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t&, const char* message) {
        if (level <= SPV_MSG_ERROR && said.empty()) said = first_line(message);
      });
  optimizer.RegisterLegalizationPasses(/*preserve_interface=*/true);
  optimizer.RegisterPerformancePasses(/*preserve_interface=*/true);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);  // the caller has done so
  options.set_preserve_spec_constants(true);
  std::vector<uint32_t> optimized;
  if (optimizer.Run(words.data(), words.size(), &optimized, options)) return optimized;
  if (said.empty()) said = "it gives up on the module";
  return diagnostics.error(Code::OptimizerFailed, {.file = file}, "spirv-opt: " + said);
}

}  // namespace heapsmith::spirv
