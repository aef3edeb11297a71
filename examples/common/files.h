// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "gpu.h"

namespace example {

/// The folder of the program, where the build leaves its shaders. `argv0` must hold a path, as it
/// does unless the program was found through PATH.
[[nodiscard]] std::filesystem::path program_folder(const char* argv0);

/// The words of a SPIR-V module.
[[nodiscard]] std::vector<uint32_t> read_words(const std::filesystem::path& file);

[[nodiscard]] VkShaderModule load_shader(const Gpu& gpu, const std::filesystem::path& file);

/// `pixels` are rows of 8-bit RGBA, opaque or not.
void write_png(const std::filesystem::path& file, VkExtent2D extent,
               std::span<const std::byte> pixels);

}  // namespace example
