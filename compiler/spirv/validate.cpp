// SPDX-License-Identifier: MIT
#include "spirv/validate.h"

#include <spirv-tools/libspirv.hpp>
#include <string_view>

#include "base/check.h"

namespace heapsmith::spirv {
namespace {

spv_target_env target_environment(TargetEnvironment environment) {
  switch (environment) {
    case TargetEnvironment::Vulkan10:
      return SPV_ENV_VULKAN_1_0;
    case TargetEnvironment::Vulkan11:
      return SPV_ENV_VULKAN_1_1;
    case TargetEnvironment::Vulkan11Spirv14:
      return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
    case TargetEnvironment::Vulkan12:
      return SPV_ENV_VULKAN_1_2;
    case TargetEnvironment::Vulkan13:
      return SPV_ENV_VULKAN_1_3;
    case TargetEnvironment::Vulkan14:
      return SPV_ENV_VULKAN_1_4;
  }
  HEAPSMITH_UNREACHABLE();
}

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

/// A diagnostic is one line; the validator adds the disassembled instruction on further ones.
std::string one_line(std::string_view message) {
  std::string text(message.substr(0, message.find('\n')));
  while (!text.empty() && (text.back() == '.' || text.back() == ' '))
    text.pop_back();
  return text;
}

}  // namespace

Diagnosed<void> validate_module(std::span<const uint32_t> words, const ValidationOptions& options,
                                const std::string& file, Code code, Diagnostics& diagnostics) {
  spvtools::SpirvTools tools(target_environment(options.environment));
  bool reported = false;
  const auto report = [&](spv_message_level_t level, const char*, const spv_position_t&,
                          const char* message) {
    if (level > SPV_MSG_ERROR) return;
    reported = true;
    (void)diagnostics.error(code, {.file = file}, "spirv-val: " + one_line(message));
  };
  tools.SetMessageConsumer(report);
  spvtools::ValidatorOptions validator;
  set_options(options, validator);
  if (tools.Validate(words.data(), words.size(), validator)) return {};
  if (!reported)
    return diagnostics.error(code, {.file = file}, "spirv-val: the module is not valid");
  return diagnostics.failed();
}

}  // namespace heapsmith::spirv
