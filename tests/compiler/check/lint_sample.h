// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "check/lint_mappings.h"
#include "reflect/shader_interface.h"

namespace heapsmith::check {

/// The limits of a device without surprises: descriptors of 64 (images), 32 (buffers) and 16 bytes
/// (samplers), aligned to their size.
[[nodiscard]] DeviceLimits sample_limits();

/// A variable that the sample shader uses: set 0, and its name says the binding.
[[nodiscard]] reflect::Resource uniform_block(uint32_t binding, uint64_t size = 16);
[[nodiscard]] reflect::Resource storage_block(uint32_t binding);
[[nodiscard]] reflect::Resource texture(uint32_t binding);
[[nodiscard]] reflect::Resource sampler(uint32_t binding);
[[nodiscard]] reflect::Resource combined(uint32_t binding);
[[nodiscard]] reflect::Resource tensor(uint32_t binding);
[[nodiscard]] reflect::Resource array_of(reflect::Resource element, uint64_t count);

/// A compute shader.
struct SampleShader {
  std::vector<reflect::Resource> resources;
  std::optional<reflect::PushConstants> pushConstants = {};
  std::vector<std::string> capabilities = {};
};

/// Lints mappings, the "mappings" of a mappings file, and gives what is said, a line each:
/// "error HS5004 variable: text".
[[nodiscard]] std::string lint_text(const SampleShader& shader, const std::string& mappings,
                                    const DeviceLimits& limits = sample_limits());

}  // namespace heapsmith::check
