// SPDX-License-Identifier: MIT
#include "files.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <fstream>

#include "check.h"

namespace example {

std::filesystem::path program_folder(const char* argv0) {
  return std::filesystem::path(argv0).parent_path();
}

std::vector<uint32_t> read_words(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) fail(file.string(), "cannot be opened");
  std::vector<uint32_t> words(static_cast<size_t>(stream.tellg()) / sizeof(uint32_t));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(words.data()),
              static_cast<std::streamsize>(words.size() * sizeof(uint32_t)));
  if (!stream || words.empty()) fail(file.string(), "cannot be read");
  return words;
}

VkShaderModule load_shader(const Gpu& gpu, const std::filesystem::path& file) {
  const std::vector<uint32_t> words = read_words(file);
  const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = words.size() * sizeof(uint32_t),
                                      .pCode = words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(gpu.device, &info, nullptr, &module), "creating a shader module");
  return module;
}

void write_png(const std::filesystem::path& file, VkExtent2D extent,
               std::span<const std::byte> pixels) {
  const int width = static_cast<int>(extent.width);
  const int height = static_cast<int>(extent.height);
  if (!stbi_write_png(file.string().c_str(), width, height, 4, pixels.data(), width * 4))
    fail(file.string(), "cannot be written");
}

}  // namespace example
