// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heapsmith/manifest.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

/// ShaderStage bits of the stages that have a shader record.
inline constexpr uint32_t kRayTracingStages =
    static_cast<uint32_t>(ShaderStage::RayGeneration) | static_cast<uint32_t>(ShaderStage::AnyHit) |
    static_cast<uint32_t>(ShaderStage::ClosestHit) | static_cast<uint32_t>(ShaderStage::Miss) |
    static_cast<uint32_t>(ShaderStage::Intersection) | static_cast<uint32_t>(ShaderStage::Callable);

/// What decides whether a residence may serve a binding.
struct ResidenceContext {
  uint32_t programStages = 0;  ///< ShaderStage bits of all programs that use the table
  bool robustBufferAccess = false;
};

/// Why Vulkan forbids a residence for a binding, with the VUID; nothing if it does not.
[[nodiscard]] std::optional<std::string> forbidden(Residence residence,
                                                   const reflect::ProgramBinding& binding,
                                                   const ResidenceContext& context);

}  // namespace heapsmith::plan
