// SPDX-License-Identifier: MIT
#include "resources.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <spirv/unified1/spirv.hpp11>

#include "common/check.h"
#include "image_shapes.h"
#include "numbers.h"

namespace equality {
namespace {

using heapsmith::DescriptorType;

constexpr VkDeviceSize kPointeeBytes = 65536;
constexpr uint64_t kAttachmentSeed = 0xA77AC4;

uint64_t seed_of(const SceneBinding& binding, uint32_t element) {
  return (uint64_t{binding.set} << 40) + (uint64_t{binding.binding} << 16) + element + 1;
}

std::string name_of(const SceneBinding& binding, uint32_t element) {
  return std::format("set {} binding {} [{}]", binding.set, binding.binding, element);
}

VkBufferUsageFlags buffer_usage(DescriptorType type) {
  switch (type) {
    case DescriptorType::UniformBuffer:
      return VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    case DescriptorType::StorageBuffer:
      return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    case DescriptorType::UniformTexelBuffer:
      return VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    default:
      return VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
  }
}

bool is_texel_buffer(DescriptorType type) {
  return type == DescriptorType::UniformTexelBuffer || type == DescriptorType::StorageTexelBuffer;
}
bool is_image(DescriptorType type) {
  return type == DescriptorType::SampledImage || type == DescriptorType::StorageImage ||
         type == DescriptorType::CombinedImageSampler;
}

uint32_t different(const SceneBinding& binding) {
  return std::min(binding.elements, kDifferentElements);
}

// What is longer than a uniform buffer may be is as long as that.
VkDeviceSize buffer_bytes(const SceneBinding& binding, uint32_t element) {
  const VkDeviceSize longer = binding.bytes + VkDeviceSize{16} * element;
  return binding.type == DescriptorType::UniformBuffer && longer > kLargestUniform ? binding.bytes
                                                                                   : longer;
}

void put_row(std::span<std::byte> bytes, const TexelFormat& format, Numbers& numbers) {
  const size_t step = format.component.ends_with("64")   ? 8
                      : format.component.ends_with("32") ? 4
                      : format.component.ends_with("16") ? 2
                                                         : 1;
  for (size_t at = 0; at + step <= bytes.size(); at += step)
    put_number(bytes.subspan(at), format.component, numbers);
}

// Neighbours lie on different sides of a half, which shaders like to compare with.
void put_depths(std::span<std::byte> bytes, bool is_far, Numbers& numbers) {
  for (size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
    const float depth = numbers.real() / 2 + (is_far ? 0.5f : 0.0f);
    std::memcpy(bytes.data() + at, &depth, sizeof depth);
  }
}

std::vector<std::byte> copy_of(const example::Buffer& buffer) {
  return {buffer.mapped, buffer.mapped + buffer.size};
}

}  // namespace

std::expected<void, std::string> Resources::check(const Scene& scene, const example::Gpu& gpu) {
  for (const SceneBinding& binding : scene.bindings) {
    if (!binding.image) continue;
    const auto format = format_of(*binding.image, binding.comparison, binding.usesAtomics);
    if (!format) return std::unexpected("an image has texels of an unusual type");
    if (is_texel_buffer(binding.type)) {
      if (!has_texels(gpu, format->format, binding.type))
        return std::unexpected("the device has no texel buffers of a format");
      continue;
    }
    if (!is_image(binding.type)) continue;
    const auto info = image_info(*binding.image, *format);
    if (!info) return std::unexpected("an image is of an unusual kind");
    if (!is_supported(gpu, *info)) return std::unexpected("the device has no images of a kind");
  }
  for (const Varying& output : scene.outputs) {
    const std::string scalar = output.type.substr(0, output.type.find_first_of("x["));
    if (!attachment_format(scalar)) return std::unexpected("it writes outputs of an unusual type");
    if (output.location >= gpu.properties.limits.maxColorAttachments)
      return std::unexpected("it writes too many outputs");
  }
  return {};
}

Resources::Resources(Arena& arena, const Scene& scene) : arena_(arena), scene_(scene) {
  pointee_ = arena_.buffer(kPointeeBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memset(pointee_.mapped, 0, pointee_.size);
  keep("what addresses point to", pointee_);
  for (const SceneBinding& binding : scene_.bindings) {
    BindingResources& made = bindings_.emplace_back();
    if (is_image(binding.type)) {
      make_images(binding, made);
    } else if (binding.type != DescriptorType::Sampler) {
      make_buffers(binding, made);
    }
    if (heapsmith::has_samplers(binding.type)) make_samplers(binding, made);
  }
  if (scene_.stage == heapsmith::ShaderStage::Fragment) make_attachments();
  if (scene_.pushConstants) {
    const auto& block = *scene_.pushConstants;
    // Member offsets count from the block's start.
    std::vector<std::byte> whole(block.offset + block.size);
    Numbers numbers(1, scene_.numbersBelow, pointee_.address);
    put_block(whole, scene_.interface->types, block.block, numbers);
    pushConstants_.assign(whole.begin() + block.offset, whole.end());
  }
  stage_images();
  untouched_ = snapshot();
}

void Resources::keep(const std::string& name, const example::Buffer& buffer) {
  buffers_.push_back({name, buffer, copy_of(buffer)});
}

void Resources::make_buffers(const SceneBinding& binding, BindingResources& made) {
  const auto format =
      binding.image ? format_of(*binding.image, false, binding.usesAtomics) : std::nullopt;
  if (format) made.texels = format->format;
  for (uint32_t element = 0; element < different(binding); ++element) {
    const VkDeviceSize size = format ? VkDeviceSize{kTexelBufferTexels + element} * format->bytes
                                     : buffer_bytes(binding, element);
    const example::Buffer buffer = arena_.buffer(size, buffer_usage(binding.type));
    const std::span bytes(buffer.mapped, buffer.size);
    std::ranges::fill(bytes, std::byte{0});
    Numbers numbers(seed_of(binding, element), scene_.numbersBelow, pointee_.address);
    if (format) {
      put_row(bytes, *format, numbers);
    } else if (binding.block != heapsmith::reflect::kNoType) {
      put_block(bytes, scene_.interface->types, binding.block, numbers);
    }
    keep(name_of(binding, element), buffer);
    made.buffers.push_back(buffer);
  }
}

void Resources::make_images(const SceneBinding& binding, BindingResources& made) {
  const TexelFormat format =
      *format_of(*binding.image, binding.comparison, binding.usesAtomics);  // check() has seen it
  for (uint32_t element = 0; element < different(binding); ++element) {
    VkImageCreateInfo info = *image_info(*binding.image, format);
    info.extent.width += element;
    if (info.extent.height != 1) info.extent.height += element;  // a cube's faces are square
    SceneImage image{.name = name_of(binding, element), .format = format};
    image.view.viewType = view_type(*binding.image);
    add_image(image, info, seed_of(binding, element));
    made.images.push_back(image);
  }
}

void Resources::make_attachments() {
  std::vector<VkFormat> formats;
  for (const Varying& output : scene_.outputs) {
    const std::string scalar = output.type.substr(0, output.type.find_first_of("x["));
    const uint32_t count = locations_of(output.type);
    formats.resize(std::max<size_t>(formats.size(), output.location + count));
    std::fill_n(formats.begin() + output.location, count, *attachment_format(scalar));
  }
  formats.push_back(VK_FORMAT_D32_SFLOAT);
  for (size_t i = 0; i < formats.size(); ++i) {
    SceneImage& image = attachments_.emplace_back();
    if (formats[i] == VK_FORMAT_UNDEFINED) continue;
    const bool depth = formats[i] == VK_FORMAT_D32_SFLOAT;
    image.name = depth ? "depth" : std::format("output {}", i);
    image.format = {formats[i], depth ? 4u : 16u, depth ? "float32" : "uint32"};
    image.view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    add_image(image, attachment_info(formats[i]), kAttachmentSeed + i);
  }
}

void Resources::add_image(SceneImage& image, const VkImageCreateInfo& info, uint64_t seed) {
  image.image = arena_.image(info);
  image.extent = info.extent;
  image.layers = info.arrayLayers;
  image.levels = info.mipLevels;
  image.multisampled = info.samples != VK_SAMPLE_COUNT_1_BIT;
  if (info.format == VK_FORMAT_D32_SFLOAT) image.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  image.view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                .image = image.image,
                .viewType = image.view.viewType,
                .format = info.format,
                .subresourceRange = {image.aspect, 0, image.levels, 0, image.layers}};
  image.staging = texels_.size();
  for (const VkBufferImageCopy& region : regions(image))
    image.bytes += VkDeviceSize{region.imageExtent.width} * region.imageExtent.height *
                   region.imageExtent.depth * image.layers * image.format.bytes;
  // Copies begin at multiples of every size of texels.
  texels_.resize((image.staging + image.bytes + 15) / 16 * 16);
  const std::span texels = std::span(texels_).subspan(image.staging, image.bytes);
  const bool is_depth = image.aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
  Numbers numbers(seed, is_depth ? 1 : scene_.numbersBelow, 0);
  if (is_depth) {
    put_depths(texels, seed % 2 == 1, numbers);
  } else {
    put_row(texels, image.format, numbers);
  }
  images_.push_back(image);
}

// One a level, all layers at once.
std::vector<VkBufferImageCopy> Resources::regions(const SceneImage& image) const {
  std::vector<VkBufferImageCopy> regions;
  VkDeviceSize offset = image.staging;
  for (uint32_t level = 0; level < image.levels; ++level) {
    const VkExtent3D extent{std::max(image.extent.width >> level, 1u),
                            std::max(image.extent.height >> level, 1u),
                            std::max(image.extent.depth >> level, 1u)};
    regions.push_back({.bufferOffset = offset,
                       .imageSubresource = {image.aspect, level, 0, image.layers},
                       .imageExtent = extent});
    offset += VkDeviceSize{extent.width} * extent.height * extent.depth * image.layers *
              image.format.bytes;
  }
  return regions;
}

// Numbers of integers and of depth cannot be mixed; a sampler of its own may meet any image.
bool Resources::filters_linearly() const {
  return std::ranges::none_of(scene_.bindings, [](const SceneBinding& binding) {
    return binding.image && (binding.comparison || binding.image->depth == 1 ||
                             binding.image->sampledType != "float32");
  });
}

void Resources::make_samplers(const SceneBinding& binding, BindingResources& made) {
  constexpr VkSamplerAddressMode kModes[] = {VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                             VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                             VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
  const VkFilter filter = filters_linearly() ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  for (uint32_t element = 0; element < different(binding); ++element) {
    const VkSamplerAddressMode mode = kModes[seed_of(binding, element) % std::size(kModes)];
    made.samplers.push_back({.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                             .magFilter = filter,
                             .minFilter = filter,
                             .addressModeU = mode,
                             .addressModeV = mode,
                             .addressModeW = mode,
                             .compareEnable = binding.comparison,
                             .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
                             .minLod = static_cast<float>(seed_of(binding, element) % kLevels),
                             .maxLod = VK_LOD_CLAMP_NONE});
  }
}

void Resources::stage_images() {
  const VkDeviceSize size = std::max<VkDeviceSize>(texels_.size(), 16);
  upload_ = arena_.buffer(size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  download_ = arena_.buffer(size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  std::ranges::copy(texels_, upload_.mapped);
  std::ranges::copy(texels_, download_.mapped);
}

// No copy reaches samples: they are cleared, each image with a colour of its own.
void Resources::upload(VkCommandBuffer commands, const SceneImage& image) const {
  if (!image.multisampled) {
    const auto copies = regions(image);
    vkCmdCopyBufferToImage(commands, upload_.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL,
                           static_cast<uint32_t>(copies.size()), copies.data());
    return;
  }
  const VkImageSubresourceRange all = image.view.subresourceRange;
  if (image.aspect == VK_IMAGE_ASPECT_DEPTH_BIT) {
    VkClearDepthStencilValue depth{};
    std::memcpy(&depth.depth, texels_.data() + image.staging, sizeof depth.depth);
    vkCmdClearDepthStencilImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &depth, 1, &all);
  } else {
    VkClearColorValue color{};
    std::memcpy(&color, texels_.data() + image.staging,
                std::min<size_t>(sizeof color, image.format.bytes));
    vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
  }
}

void Resources::reset(VkCommandBuffer commands) {
  for (const Kept& kept : buffers_)
    std::ranges::copy(kept.initial, kept.buffer.mapped);
  for (const SceneImage& image : images_) {
    full_barrier(commands, image.image, image.aspect, VK_IMAGE_LAYOUT_UNDEFINED,
                 VK_IMAGE_LAYOUT_GENERAL);
    upload(commands, image);
  }
  full_barrier(commands);
}

void Resources::read_back(VkCommandBuffer commands) {
  full_barrier(commands);
  for (const SceneImage& image : images_) {
    if (image.multisampled) continue;  // image_info() makes no storage images of that kind
    const auto copies = regions(image);
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, download_.buffer,
                           static_cast<uint32_t>(copies.size()), copies.data());
  }
}

Snapshot Resources::snapshot() const {
  Snapshot snapshot;
  for (const Kept& kept : buffers_)
    snapshot.push_back({kept.name, copy_of(kept.buffer)});
  for (const SceneImage& image : images_) {
    const std::byte* const first = download_.mapped + image.staging;
    snapshot.push_back({image.name, {first, first + image.bytes}});
  }
  return snapshot;
}

}  // namespace equality
