// SPDX-License-Identifier: MIT
#include "pipelines_stages.h"

#include "pipelines_interface.h"
#include "words.h"

namespace corpus {
namespace {

/// `--program`: only files with one stem are taken for a program unasked.
heapsmith::plan::ProgramRequest one_program(const Unit& unit) {
  heapsmith::plan::ProgramRequest request{.name = "pair"};
  for (const auto& file : unit.files)
    request.shaders.push_back(file.filename().string());
  return request;
}

/// What a fragment shader writes. Attachments that it does not write are there, without a format:
/// it may read them.
std::vector<VkFormat> color_formats(std::span<const uint32_t> words) {
  constexpr size_t kMostAttachments = 8;
  std::vector<VkFormat> formats(kMostAttachments, VK_FORMAT_UNDEFINED);
  const auto interface = stage_interface(words);
  if (!interface) return formats;
  for (const auto& [place, type] : interface->outputs) {
    if (place.first >= kMostAttachments) continue;
    VkFormat& format = formats[place.first];
    format = VK_FORMAT_R32G32B32A32_SFLOAT;
    if (type.starts_with("int")) format = VK_FORMAT_R32G32B32A32_SINT;
    if (type.starts_with("uint")) format = VK_FORMAT_R32G32B32A32_UINT;
  }
  return formats;
}

}  // namespace

heapsmith::driver::MapOptions map_options(const Unit& unit, const std::filesystem::path& folder) {
  heapsmith::driver::MapOptions options;
  for (const auto& file : unit.files)
    options.shaders.inputs.push_back(file.string());
  if (unit.files.size() > 1) options.programs.push_back(one_program(unit));
  options.outputFolder = folder.string();
  return options;
}

Stages read_stages(const heapsmith::Manifest& manifest, const heapsmith::Program& program,
                   const std::filesystem::path& folder) {
  Stages stages;
  for (const heapsmith::Shader& shader :
       manifest.shaders.subspan(program.shaders.first, program.shaders.count)) {
    stages.stages.push_back(
        {shader.stage, std::string(shader.entryPoint), read_words(folder / shader.file)});
    if (shader.stage == heapsmith::ShaderStage::Fragment)
      stages.colorFormats = color_formats(stages.stages.back().words);
  }
  return stages;
}

}  // namespace corpus
