// SPDX-License-Identifier: MIT
#include "spirv/tools_environment.h"

#include "base/check.h"

namespace heapsmith::spirv {

spv_target_env tools_environment(TargetEnvironment environment) {
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

std::string first_line(std::string_view message) {
  std::string text(message.substr(0, message.find('\n')));
  while (!text.empty() && (text.back() == '.' || text.back() == ' '))
    text.pop_back();
  return text;
}

}  // namespace heapsmith::spirv
