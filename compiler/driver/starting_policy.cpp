// SPDX-License-Identifier: MIT
#include "driver/starting_policy.h"

#include <utility>

#include "driver/decide.h"
#include "emit/starting_policy.h"
#include "emit/write_files.h"
#include "input/read_file.h"

namespace heapsmith::driver {

Diagnosed<std::string> starting_policy(const StartingPolicyOptions& options,
                                       Diagnostics& diagnostics) {
  const auto shaders = load_shaders(options.shaders, diagnostics);
  if (!shaders) return std::unexpected(shaders.error());
  std::vector<std::string> files;
  for (const LoadedShader& shader : *shaders)
    files.push_back(shader.name.fileName);
  const auto merged = merge_programs(*shaders, files, options.programs, {}, diagnostics);
  if (!merged) return std::unexpected(merged.error());

  emit::ProgramFiles programs;
  for (const plan::ProgramGroup& group : merged->groups) {
    std::vector<std::string>& names = programs[group.name];
    for (const plan::ProgramShader shader : group.shaders) {
      const LoadedShader& module = (*shaders)[shader.module];
      const std::string& entry_point = module.interface.entryPoints[shader.entryPoint].name;
      names.push_back(module.interface.entryPoints.size() == 1
                          ? module.name.fileName
                          : module.name.fileName + ":" + entry_point);
    }
  }
  std::string text = emit::starting_policy(merged->programs, programs);
  if (options.outputFile.empty() || options.outputFile == "-") return text;
  const emit::OutputFile file = {options.outputFile, std::move(text)};
  const auto written = emit::write_files({&file, 1}, {}, diagnostics);
  if (!written) return std::unexpected(written.error());
  return std::string();
}

}  // namespace heapsmith::driver
