// SPDX-License-Identifier: MIT
#include "driver/reflect.h"

#include <vector>

#include "emit/reflection_json.h"
#include "emit/reflection_text.h"
#include "emit/write_files.h"

namespace heapsmith::driver {

Diagnosed<std::string> reflect_shaders(const ShaderOptions& options, const std::string& outputFile,
                                       ReflectionFormat format, Diagnostics& diagnostics) {
  const auto shaders = load_shaders(options, diagnostics);
  if (!shaders) return std::unexpected(shaders.error());
  std::vector<emit::NamedInterface> interfaces;
  for (const LoadedShader& shader : *shaders) {
    interfaces.push_back({shader.name.fileName, &shader.interface});
  }
  std::string text = format == ReflectionFormat::Text ? emit::reflection_text(interfaces)
                                                      : emit::reflection_json(interfaces);
  if (outputFile.empty() || outputFile == "-") return text;
  const emit::OutputFile file = {outputFile, std::move(text)};
  const auto written = emit::write_files({&file, 1}, {}, diagnostics);
  if (!written) return std::unexpected(written.error());
  return std::string();
}

}  // namespace heapsmith::driver
