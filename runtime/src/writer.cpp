// SPDX-License-Identifier: MIT
#include "heapsmith/writer.h"

#include "chains.h"
#include "text.h"
#include "vulkan_error.h"
#include "vulkan_types.h"

namespace heapsmith {
namespace {

constexpr VkDeviceAddress kAccelerationStructureAlignment = 256;  // VUID 11454

bool is_buffer(DescriptorType type) {
  return type == DescriptorType::UniformBuffer || type == DescriptorType::StorageBuffer;
}
bool is_texel_buffer(DescriptorType type) {
  return type == DescriptorType::UniformTexelBuffer || type == DescriptorType::StorageTexelBuffer;
}
bool is_image(DescriptorType type) {
  return type == DescriptorType::CombinedImageSampler || type == DescriptorType::SampledImage ||
         type == DescriptorType::StorageImage || type == DescriptorType::InputAttachment;
}
bool is_acceleration_structure(DescriptorType type) {
  return type == DescriptorType::AccelerationStructureKHR;
}
/// VUID 11469: input attachments are never null.
bool may_be_null(DescriptorType type) {
  return type != DescriptorType::Sampler && type != DescriptorType::InputAttachment;
}

/// VUID 11219: layouts in which no shader reads an image.
bool is_readable(VkImageLayout layout) {
  return layout != VK_IMAGE_LAYOUT_UNDEFINED && layout != VK_IMAGE_LAYOUT_PREINITIALIZED &&
         layout != VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL &&
         layout != VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
}

std::string place(const Manifest& manifest, const Binding& binding) {
  return detail::join("binding '", binding.name, "' of table '",
                      manifest.tables[binding.table].name, "'");
}

Status check_range(const Manifest& manifest, const Binding& binding, VkDeviceAddress address,
                   VkDeviceSize size) {
  // VUID 11433; there is no VK_WHOLE_SIZE, since an address has no buffer that ends.
  if (address != 0 && size != 0 && size <= VK_WHOLE_SIZE - address) return Done{};
  return detail::error(ErrorCode::InvalidDescriptor, place(manifest, binding), " got ", size,
                       " bytes at address ", address);
}

}  // namespace

DescriptorWriter::DescriptorWriter(const Device& device, const Manifest& manifest,
                                   const ResolvedLayout& layout, const Heaps& heaps)
    : device_(&device), manifest_(&manifest), layout_(&layout), heaps_(&heaps) {}

Status DescriptorWriter::check(const char* what, bool (*accepts)(DescriptorType), BindingId binding,
                               uint32_t element, uint32_t instance, bool sampler) const {
  if (binding.index >= manifest_->bindings.size()) {
    return detail::error(ErrorCode::UnknownName, "the manifest has no binding ", binding.index);
  }
  const Binding& declared = manifest_->bindings[binding.index];
  if (!accepts(declared.type)) {
    return detail::error(ErrorCode::TypeMismatch, place(*manifest_, declared), " is a ",
                         to_string(declared.type), " and takes no ", what);
  }
  const uint32_t capacity = layout_->slots.bindings[binding.index].capacity;
  if (element >= capacity) {
    return detail::error(ErrorCode::ElementOutOfRange, place(*manifest_, declared), " has ",
                         capacity, " elements, not element ", element);
  }
  const TableSlots& table = layout_->slots.tables[declared.table];
  const uint32_t instances = sampler ? table.samplerInstances : table.instances;
  if (instance >= instances) {
    return detail::error(ErrorCode::InstanceOutOfRange, place(*manifest_, declared), " has ",
                         instances, sampler ? " sampler tuples" : " instances", ", not number ",
                         instance);
  }
  return Done{};
}

void DescriptorWriter::record(BindingId binding, uint32_t element, uint32_t instance,
                              size_t payload) {
  const DescriptorType type = manifest_->bindings[binding.index].type;
  resources_.push_back({.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                        .pNext = nullptr,
                        .type = detail::heap_type(type),
                        .data = {}});
  resourceTargets_.push_back(
      {.address = heaps_->resources.mapped +
                  resource_offset(*manifest_, *layout_, binding, element, instance),
       .size = static_cast<size_t>(layout_->region(descriptor_class(type)).stride)});
  payloads_.push_back(payload);
}

Status DescriptorWriter::buffer(BindingId binding, uint32_t element, uint32_t instance,
                                VkDeviceAddress address, VkDeviceSize size) {
  if (Status status = check("buffer", is_buffer, binding, element, instance); !status)
    return status;
  if (Status status = check_range(*manifest_, manifest_->bindings[binding.index], address, size);
      !status) {
    return status;
  }
  record(binding, element, instance, addressRanges_.size());
  addressRanges_.push_back({.address = address, .size = size});
  return Done{};
}

Status DescriptorWriter::image(BindingId binding, uint32_t element, uint32_t instance,
                               const VkImageViewCreateInfo& view, VkImageLayout layout) {
  if (Status status = check("image", is_image, binding, element, instance); !status) return status;
  if (!is_readable(layout)) {
    return detail::error(ErrorCode::InvalidDescriptor,
                         place(*manifest_, manifest_->bindings[binding.index]),
                         " got an image in a layout that no shader can use: VkImageLayout ",
                         static_cast<uint64_t>(layout));
  }
  detail::ImageChain chain;
  if (Status status = detail::copy_chain(view, chain); !status) return status;
  record(binding, element, instance, images_.size());
  images_.push_back({.info = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                              .pNext = nullptr,
                              .pView = nullptr,
                              .layout = layout},
                     .view = view,
                     .chain = kNoChain});
  if (view.pNext != nullptr) {
    images_.back().chain = imageChains_.size();
    imageChains_.push_back(chain);
  }
  return Done{};
}

Status DescriptorWriter::texel_buffer(BindingId binding, uint32_t element, uint32_t instance,
                                      VkFormat format, VkDeviceAddress address, VkDeviceSize size) {
  if (Status status = check("texel buffer", is_texel_buffer, binding, element, instance); !status)
    return status;
  if (Status status = check_range(*manifest_, manifest_->bindings[binding.index], address, size);
      !status) {
    return status;
  }
  record(binding, element, instance, texelBuffers_.size());
  texelBuffers_.push_back({.sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
                           .pNext = nullptr,
                           .format = format,
                           .addressRange = {.address = address, .size = size}});
  return Done{};
}

Status DescriptorWriter::acceleration_structure(BindingId binding, uint32_t element,
                                                uint32_t instance, VkDeviceAddress address) {
  if (Status status =
          check("acceleration structure", is_acceleration_structure, binding, element, instance);
      !status) {
    return status;
  }
  if (address == 0 || address % kAccelerationStructureAlignment != 0) {
    return detail::error(ErrorCode::InvalidDescriptor,
                         place(*manifest_, manifest_->bindings[binding.index]), " got address ",
                         address, ", which is no acceleration structure's");
  }
  record(binding, element, instance, addressRanges_.size());
  addressRanges_.push_back({.address = address, .size = 0});
  return Done{};
}

Status DescriptorWriter::null(BindingId binding, uint32_t element, uint32_t instance) {
  if (Status status = check("null descriptor", may_be_null, binding, element, instance); !status) {
    return status;
  }
  record(binding, element, instance, kNullDescriptor);
  return Done{};
}

Status DescriptorWriter::sampler(BindingId binding, uint32_t element, uint32_t tuple,
                                 const VkSamplerCreateInfo& info) {
  if (Status status = check("sampler", has_sampler_slots, binding, element, tuple, true); !status) {
    return status;
  }
  detail::SamplerChain chain;
  if (Status status = detail::copy_chain(info, chain); !status) return status;
  samplerChainIndices_.push_back(info.pNext == nullptr ? kNoChain : samplerChains_.size());
  if (info.pNext != nullptr) samplerChains_.push_back(chain);
  samplers_.push_back(info);
  samplerTargets_.push_back(
      {.address =
           heaps_->samplers.mapped + sampler_offset(*manifest_, *layout_, binding, element, tuple),
       .size = static_cast<size_t>(layout_->region(DescriptorClass::Sampler).stride)});
  return Done{};
}

/// Pointers are taken only here: while calls record, the vectors still move their elements.
void DescriptorWriter::link_resources() {
  for (Image& image : images_) {
    image.view.pNext = image.chain == kNoChain ? nullptr : detail::link(imageChains_[image.chain]);
    image.info.pView = &image.view;
  }
  for (size_t i = 0; i < resources_.size(); ++i) {
    const size_t payload = payloads_[i];
    VkResourceDescriptorDataEXT& data = resources_[i].data;
    data.pImage = nullptr;  // one pointer of a union: null for every type
    if (payload == kNullDescriptor) continue;
    const auto type = static_cast<DescriptorType>(resources_[i].type);
    if (is_image(type)) {
      data.pImage = &images_[payload].info;
    } else if (is_texel_buffer(type)) {
      data.pTexelBuffer = &texelBuffers_[payload];
    } else {
      data.pAddressRange = &addressRanges_[payload];
    }
  }
}

void DescriptorWriter::link_samplers() {
  for (size_t i = 0; i < samplers_.size(); ++i) {
    const size_t chain = samplerChainIndices_[i];
    samplers_[i].pNext = chain == kNoChain ? nullptr : detail::link(samplerChains_[chain]);
  }
}

Status DescriptorWriter::write() {
  if (!resources_.empty()) {
    link_resources();
    const VkResult result = device_->functions->vkWriteResourceDescriptorsEXT(
        device_->device, static_cast<uint32_t>(resources_.size()), resources_.data(),
        resourceTargets_.data());
    if (result != VK_SUCCESS) return detail::vulkan_error("vkWriteResourceDescriptorsEXT", result);
  }
  if (!samplers_.empty()) {
    link_samplers();
    const VkResult result = device_->functions->vkWriteSamplerDescriptorsEXT(
        device_->device, static_cast<uint32_t>(samplers_.size()), samplers_.data(),
        samplerTargets_.data());
    if (result != VK_SUCCESS) return detail::vulkan_error("vkWriteSamplerDescriptorsEXT", result);
  }
  return Done{};
}

Status DescriptorWriter::flush() {
  Status status = write();
  resources_.clear();
  resourceTargets_.clear();
  payloads_.clear();
  addressRanges_.clear();
  texelBuffers_.clear();
  images_.clear();
  imageChains_.clear();
  samplers_.clear();
  samplerTargets_.clear();
  samplerChainIndices_.clear();
  samplerChains_.clear();
  return status;
}

size_t DescriptorWriter::pending() const noexcept {
  return resources_.size() + samplers_.size();
}

}  // namespace heapsmith
