// SPDX-License-Identifier: MIT
#include "spirv/validate.h"

#include <exception>
#include <format>
#include <spirv-tools/libspirv.hpp>

#include "spirv/tools_environment.h"

namespace heapsmith::spirv {
namespace {

void set_options(const ValidationOptions& from, spvtools::ValidatorOptions& to) {
  to.SetScalarBlockLayout(from.scalarBlockLayout);
  to.SetWorkgroupScalarBlockLayout(from.scalarBlockLayout);
  to.SetUniformBufferStandardLayout(from.uniformStandardLayout);
  to.SetBeforeHlslLegalization(from.beforeHlslLegalization);
  to.SetAllowLocalSizeId(true);
  if (from.buffer) to.SetBufferDescriptorLayout(from.buffer->size, from.buffer->alignment);
  if (from.image) to.SetImageDescriptorLayout(from.image->size, from.image->alignment);
  if (from.sampler) to.SetSamplerDescriptorLayout(from.sampler->size, from.sampler->alignment);
}

// Nobody who gave GLSL has written a module.
std::string speaker(Code code) {
  return code == Code::FrontEndInvalidSpirv
             ? "the front end made invalid SPIR-V of the source; spirv-val: "
             : "spirv-val: ";
}

}  // namespace

Diagnosed<void> validate_module(std::span<const uint32_t> words, const ValidationOptions& options,
                                const std::string& file, Code code, Diagnostics& diagnostics) {
  spvtools::SpirvTools tools(tools_environment(options.environment));
  bool reported = false;
  const auto report = [&](spv_message_level_t level, const char*, const spv_position_t&,
                          const char* message) {
    if (level > SPV_MSG_ERROR) return;
    reported = true;
    (void)diagnostics.error(code, {.file = file}, speaker(code) + first_line(message));
  };
  tools.SetMessageConsumer(report);
  spvtools::ValidatorOptions validator;
  set_options(options, validator);
  // spirv-val throws where some damaged modules take it past an instruction's end.
  try {
    if (tools.Validate(words.data(), words.size(), validator)) return {};
  } catch (const std::exception& thrown) {
    return diagnostics.error(code, {.file = file},
                             std::format("spirv-val cannot read the module: {}", thrown.what()));
  }
  if (!reported)
    return diagnostics.error(code, {.file = file}, speaker(code) + "the module is not valid");
  return diagnostics.failed();
}

}  // namespace heapsmith::spirv
