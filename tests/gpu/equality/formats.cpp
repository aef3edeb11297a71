// SPDX-License-Identifier: MIT
#include "formats.h"

#include <spirv/unified1/spirv.hpp11>

namespace equality {
namespace {

// Components of packed and normalized formats are bytes that may be anything.
std::optional<TexelFormat> storage_format(spv::ImageFormat format) {
  switch (format) {
    using enum spv::ImageFormat;
    case Rgba32f:
      return TexelFormat{VK_FORMAT_R32G32B32A32_SFLOAT, 16, "float32"};
    case Rg32f:
      return TexelFormat{VK_FORMAT_R32G32_SFLOAT, 8, "float32"};
    case R32f:
      return TexelFormat{VK_FORMAT_R32_SFLOAT, 4, "float32"};
    case Rgba16f:
      return TexelFormat{VK_FORMAT_R16G16B16A16_SFLOAT, 8, "float16"};
    case Rg16f:
      return TexelFormat{VK_FORMAT_R16G16_SFLOAT, 4, "float16"};
    case R16f:
      return TexelFormat{VK_FORMAT_R16_SFLOAT, 2, "float16"};
    case Rgba8:
      return TexelFormat{VK_FORMAT_R8G8B8A8_UNORM, 4, "uint8"};
    case Rgba8Snorm:
      return TexelFormat{VK_FORMAT_R8G8B8A8_SNORM, 4, "uint8"};
    case R11fG11fB10f:
      return TexelFormat{VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4, "uint16"};
    case Rgba16:
      return TexelFormat{VK_FORMAT_R16G16B16A16_UNORM, 8, "uint8"};
    case Rgb10A2:
      return TexelFormat{VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, "uint8"};
    case Rg16:
      return TexelFormat{VK_FORMAT_R16G16_UNORM, 4, "uint8"};
    case Rg8:
      return TexelFormat{VK_FORMAT_R8G8_UNORM, 2, "uint8"};
    case R16:
      return TexelFormat{VK_FORMAT_R16_UNORM, 2, "uint8"};
    case R8:
      return TexelFormat{VK_FORMAT_R8_UNORM, 1, "uint8"};
    case Rgba16Snorm:
      return TexelFormat{VK_FORMAT_R16G16B16A16_SNORM, 8, "uint8"};
    case Rg16Snorm:
      return TexelFormat{VK_FORMAT_R16G16_SNORM, 4, "uint8"};
    case Rg8Snorm:
      return TexelFormat{VK_FORMAT_R8G8_SNORM, 2, "uint8"};
    case R16Snorm:
      return TexelFormat{VK_FORMAT_R16_SNORM, 2, "uint8"};
    case R8Snorm:
      return TexelFormat{VK_FORMAT_R8_SNORM, 1, "uint8"};
    case Rgba32i:
      return TexelFormat{VK_FORMAT_R32G32B32A32_SINT, 16, "int32"};
    case Rgba16i:
      return TexelFormat{VK_FORMAT_R16G16B16A16_SINT, 8, "int16"};
    case Rgba8i:
      return TexelFormat{VK_FORMAT_R8G8B8A8_SINT, 4, "int8"};
    case R32i:
      return TexelFormat{VK_FORMAT_R32_SINT, 4, "int32"};
    case Rg32i:
      return TexelFormat{VK_FORMAT_R32G32_SINT, 8, "int32"};
    case Rg16i:
      return TexelFormat{VK_FORMAT_R16G16_SINT, 4, "int16"};
    case Rg8i:
      return TexelFormat{VK_FORMAT_R8G8_SINT, 2, "int8"};
    case R16i:
      return TexelFormat{VK_FORMAT_R16_SINT, 2, "int16"};
    case R8i:
      return TexelFormat{VK_FORMAT_R8_SINT, 1, "int8"};
    case Rgba32ui:
      return TexelFormat{VK_FORMAT_R32G32B32A32_UINT, 16, "uint32"};
    case Rgba16ui:
      return TexelFormat{VK_FORMAT_R16G16B16A16_UINT, 8, "uint16"};
    case Rgba8ui:
      return TexelFormat{VK_FORMAT_R8G8B8A8_UINT, 4, "uint8"};
    case R32ui:
      return TexelFormat{VK_FORMAT_R32_UINT, 4, "uint32"};
    case Rgb10a2ui:
      return TexelFormat{VK_FORMAT_A2B10G10R10_UINT_PACK32, 4, "uint8"};
    case Rg32ui:
      return TexelFormat{VK_FORMAT_R32G32_UINT, 8, "uint32"};
    case Rg16ui:
      return TexelFormat{VK_FORMAT_R16G16_UINT, 4, "uint16"};
    case Rg8ui:
      return TexelFormat{VK_FORMAT_R8G8_UINT, 2, "uint8"};
    case R16ui:
      return TexelFormat{VK_FORMAT_R16_UINT, 2, "uint16"};
    case R8ui:
      return TexelFormat{VK_FORMAT_R8_UINT, 1, "uint8"};
    case R64ui:
      return TexelFormat{VK_FORMAT_R64_UINT, 8, "uint64"};
    case R64i:
      return TexelFormat{VK_FORMAT_R64_SINT, 8, "int64"};
    default:
      return std::nullopt;
  }
}

std::optional<TexelFormat> any_format(std::string_view scalar, bool usesAtomics) {
  if (scalar == "float32") {
    if (usesAtomics) return TexelFormat{VK_FORMAT_R32_SFLOAT, 4, scalar};
    return TexelFormat{VK_FORMAT_R32G32B32A32_SFLOAT, 16, scalar};
  }
  if (scalar == "int32") {
    if (usesAtomics) return TexelFormat{VK_FORMAT_R32_SINT, 4, scalar};
    return TexelFormat{VK_FORMAT_R32G32B32A32_SINT, 16, scalar};
  }
  if (scalar == "uint32") {
    if (usesAtomics) return TexelFormat{VK_FORMAT_R32_UINT, 4, scalar};
    return TexelFormat{VK_FORMAT_R32G32B32A32_UINT, 16, scalar};
  }
  if (scalar == "uint64") return TexelFormat{VK_FORMAT_R64_UINT, 8, scalar};
  if (scalar == "int64") return TexelFormat{VK_FORMAT_R64_SINT, 8, scalar};
  return std::nullopt;
}

}  // namespace

std::optional<TexelFormat> format_of(const heapsmith::reflect::ImageFacts& image, bool comparison,
                                     bool usesAtomics) {
  if (image.depth == 1 || comparison) return TexelFormat{VK_FORMAT_D32_SFLOAT, 4, "float32"};
  const auto declared = static_cast<spv::ImageFormat>(image.format);
  if (image.sampled == 2 && declared != spv::ImageFormat::Unknown) return storage_format(declared);
  return any_format(image.sampledType, usesAtomics);
}

std::optional<VkFormat> attachment_format(std::string_view scalar) {
  const auto format = any_format(scalar, false);
  if (!format || format->bytes != 16) return std::nullopt;
  return format->format;
}

}  // namespace equality
