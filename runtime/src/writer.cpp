// SPDX-License-Identifier: MIT
#include "heapsmith/writer.h"

#include <algorithm>

#include "chains.h"
#include "text.h"
#include "vulkan_error.h"
#include "vulkan_types.h"

namespace heapsmith {
namespace {

constexpr VkDeviceAddress kAccelerationStructureAlignment = 256;  // VUID 11454
constexpr size_t kFirstCapacity = 64;

/// What a binding takes, as bits of Place::kinds.
enum Kind : uint32_t {
  kBuffer = 0x1,
  kTexelBuffer = 0x2,
  kImage = 0x4,
  kAccelerationStructure = 0x8,
  kNull = 0x10,
  kSampler = 0x20,
};

uint32_t kinds_of_type(DescriptorType type) {
  switch (type) {
    case DescriptorType::Sampler:
      return kSampler;
    case DescriptorType::CombinedImageSampler:
      return kImage | kNull | kSampler;
    case DescriptorType::SampledImage:
    case DescriptorType::StorageImage:
      return kImage | kNull;
    case DescriptorType::InputAttachment:  // never null: VUID 11469
      return kImage;
    case DescriptorType::UniformTexelBuffer:
    case DescriptorType::StorageTexelBuffer:
      return kTexelBuffer | kNull;
    case DescriptorType::UniformBuffer:
    case DescriptorType::StorageBuffer:
      return kBuffer | kNull;
    case DescriptorType::AccelerationStructureKHR:
      return kAccelerationStructure | kNull;
    case DescriptorType::TensorARM:
      return kNull;
  }
  return 0;
}

/// No descriptor of it is in a heap, or its sampler is in the mapping: nothing to write.
uint32_t kinds_of(const Binding& binding) {
  uint32_t kinds = kinds_of_type(binding.type);
  if (!has_resource_slots(binding)) kinds &= kSampler;
  if (!has_sampler_slots(binding)) kinds &= ~uint32_t{kSampler};
  return kinds;
}

std::string_view name_of(uint32_t kind) {
  switch (kind) {
    case kBuffer:
      return "buffer";
    case kTexelBuffer:
      return "texel buffer";
    case kImage:
      return "image";
    case kAccelerationStructure:
      return "acceleration structure";
    case kNull:
      return "null descriptor";
    default:  // kSampler; a kind is a plain number in the header
      return "sampler";
  }
}

/// VUID 11219: layouts in which no shader reads an image.
bool is_readable(VkImageLayout layout) {
  return layout != VK_IMAGE_LAYOUT_UNDEFINED && layout != VK_IMAGE_LAYOUT_PREINITIALIZED &&
         layout != VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL &&
         layout != VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
}

/// VUID 11433; there is no VK_WHOLE_SIZE, since an address has no buffer that ends.
bool is_range(VkDeviceAddress address, VkDeviceSize size) {
  return address != 0 && size != 0 && size <= VK_WHOLE_SIZE - address;
}

std::string place_text(const Manifest& manifest, BindingId id) {
  const Binding& binding = manifest.bindings[id.index];
  return detail::join("binding '", binding.name, "' of table '",
                      manifest.tables[binding.table].name, "'");
}

Error bad_range(const Manifest& manifest, BindingId binding, VkDeviceAddress address,
                VkDeviceSize size) {
  return detail::error(ErrorCode::InvalidDescriptor, place_text(manifest, binding), " got ", size,
                       " bytes at address ", address);
}

}  // namespace

DescriptorWriter::DescriptorWriter(const Device& device, const Manifest& manifest,
                                   const ResolvedLayout& layout, const Heaps& heaps)
    : device_(&device), manifest_(&manifest), heaps_(&heaps) {
  places_.resize(manifest.bindings.size());
  for (uint32_t i = 0; i < places_.size(); ++i) {
    const Binding& binding = manifest.bindings[i];
    const TableSlots& table = layout.slots.tables[binding.table];
    const BindingId id{i};
    Place& place = places_[i];
    place.capacity = layout.slots.bindings[i].capacity;
    place.instances = table.instances;
    place.samplerInstances = table.samplerInstances;
    place.kinds = kinds_of(binding);
    place.type = detail::heap_type(binding.type);
    if (has_resource_slots(binding)) {
      const uint64_t stride = layout.region(descriptor_class(binding.type)).stride;
      place.resourceSize = static_cast<uint32_t>(stride * binding.slotsPerElement);
      place.resourceOffset = resource_offset(manifest, layout, id, 0, 0);
      place.resourceStep = resource_offset(manifest, layout, id, 0, 1) - place.resourceOffset;
    }
    if (has_sampler_slots(binding)) {
      if (binding.samplerPlacement == SamplerPlacement::Immutable) place.samplerInstances = 1;
      const uint64_t stride = layout.region(DescriptorClass::Sampler).stride;
      place.samplerSize = static_cast<uint32_t>(stride);
      place.samplerOffset = sampler_offset(manifest, layout, id, 0, 0);
      place.samplerStep = sampler_offset(manifest, layout, id, 0, 1) - place.samplerOffset;
    }
  }
}

/// Null where refuse() has something to say.
const DescriptorWriter::Place* DescriptorWriter::find(uint32_t kind, BindingId binding,
                                                      uint32_t element,
                                                      uint32_t instance) const noexcept {
  if (binding.index >= places_.size()) return nullptr;
  const Place& place = places_[binding.index];
  const uint32_t instances = kind == kSampler ? place.samplerInstances : place.instances;
  const bool fits = (place.kinds & kind) != 0 && element < place.capacity && instance < instances;
  return fits ? &place : nullptr;
}

Error DescriptorWriter::refuse(uint32_t kind, BindingId binding, uint32_t element,
                               uint32_t instance) const {
  if (binding.index >= places_.size()) {
    return detail::error(ErrorCode::UnknownName, "the manifest has no binding ",
                         uint64_t{binding.index});
  }
  const Place& place = places_[binding.index];
  const std::string where = place_text(*manifest_, binding);
  const Binding& declared = manifest_->bindings[binding.index];
  if ((kinds_of_type(declared.type) & kind & ~place.kinds) != 0) {
    return detail::error(
        ErrorCode::TypeMismatch, where, " has no descriptor for a ", name_of(kind), " in a heap: ",
        kind == kSampler ? to_string(declared.samplerPlacement) : to_string(declared.residence));
  }
  if ((place.kinds & kind) == 0) {
    return detail::error(ErrorCode::TypeMismatch, where, " is a ", to_string(declared.type),
                         " and takes no ", name_of(kind));
  }
  if (element >= place.capacity) {
    return detail::error(ErrorCode::ElementOutOfRange, where, " has ", uint64_t{place.capacity},
                         " elements, not element ", uint64_t{element});
  }
  const bool sampler = kind == kSampler;
  return detail::error(ErrorCode::InstanceOutOfRange, where, " has ",
                       uint64_t{sampler ? place.samplerInstances : place.instances},
                       sampler ? " sampler tuples" : " instances", ", not number ",
                       uint64_t{instance});
}

size_t DescriptorWriter::record(const Place& place, uint32_t element, uint32_t instance) {
  if (resourceCount_ == resources_.size()) grow();
  VkResourceDescriptorInfoEXT& info = resources_[resourceCount_];
  info.type = place.type;
  info.data.pAddressRange = nullptr;
  resourceTargets_[resourceCount_] = {.address = heaps_->resources.mapped + place.resourceOffset +
                                                 instance * place.resourceStep +
                                                 uint64_t{element} * place.resourceSize,
                                      .size = place.resourceSize};
  return resourceCount_++;
}

void DescriptorWriter::record_range(const Place& place, uint32_t element, uint32_t instance,
                                    VkDeviceAddressRangeEXT range) {
  const size_t resource = record(place, element, instance);
  addressRanges_[resource] = range;
  resources_[resource].data.pAddressRange = &addressRanges_[resource];
}

/// The ranges move. Only they are pointed to before flush().
void DescriptorWriter::grow() {
  const size_t size = std::max(kFirstCapacity, 2 * resources_.size());
  VkResourceDescriptorInfoEXT blank{};
  blank.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT;
  resources_.resize(size, blank);
  resourceTargets_.resize(size);
  addressRanges_.resize(size);
  for (size_t i = 0; i < resourceCount_; ++i) {
    const VkDeviceAddressRangeEXT*& range = resources_[i].data.pAddressRange;
    if (range != nullptr) range = &addressRanges_[i];
  }
}

Status DescriptorWriter::buffer(BindingId binding, uint32_t element, uint32_t instance,
                                VkDeviceAddress address, VkDeviceSize size) {
  const Place* place = find(kBuffer, binding, element, instance);
  if (place == nullptr) return refuse(kBuffer, binding, element, instance);
  if (!is_range(address, size)) return bad_range(*manifest_, binding, address, size);
  record_range(*place, element, instance, {.address = address, .size = size});
  return Done{};
}

Status DescriptorWriter::image(BindingId binding, uint32_t element, uint32_t instance,
                               const VkImageViewCreateInfo& view, VkImageLayout layout) {
  const Place* place = find(kImage, binding, element, instance);
  if (place == nullptr) return refuse(kImage, binding, element, instance);
  if (!is_readable(layout)) {
    return detail::error(ErrorCode::InvalidDescriptor, place_text(*manifest_, binding),
                         " got an image in a layout that no shader can use: VkImageLayout ",
                         static_cast<uint64_t>(layout));
  }
  if (Status status = detail::check(view); !status) return status;
  size_t chainIndex = kNoChain;
  if (view.pNext != nullptr) {
    detail::ImageChain chain;
    if (Status status = detail::copy_chain(view.pNext, chain); !status) return status;
    if (chain.conversion.sType != VkStructureType{} &&
        manifest_->bindings[binding.index].slotsPerElement < kYcbcrSlots) {
      return detail::error(ErrorCode::InvalidDescriptor, place_text(*manifest_, binding),
                           " got an image that converts from YCbCr, but the manifest gives it no "
                           "immutable sampler that does");
    }
    chainIndex = imageChains_.size();
    imageChains_.push_back(chain);
  }
  images_.push_back({.info = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                              .pNext = nullptr,
                              .pView = nullptr,
                              .layout = layout},
                     .view = view,
                     .resource = record(*place, element, instance),
                     .chain = chainIndex});
  return Done{};
}

Status DescriptorWriter::texel_buffer(BindingId binding, uint32_t element, uint32_t instance,
                                      VkFormat format, VkDeviceAddress address, VkDeviceSize size) {
  const Place* place = find(kTexelBuffer, binding, element, instance);
  if (place == nullptr) return refuse(kTexelBuffer, binding, element, instance);
  if (!is_range(address, size)) return bad_range(*manifest_, binding, address, size);
  texelBuffers_.push_back({.info = {.sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
                                    .pNext = nullptr,
                                    .format = format,
                                    .addressRange = {.address = address, .size = size}},
                           .resource = record(*place, element, instance)});
  return Done{};
}

Status DescriptorWriter::acceleration_structure(BindingId binding, uint32_t element,
                                                uint32_t instance, VkDeviceAddress address) {
  const Place* place = find(kAccelerationStructure, binding, element, instance);
  if (place == nullptr) return refuse(kAccelerationStructure, binding, element, instance);
  if (address == 0 || address % kAccelerationStructureAlignment != 0) {
    return detail::error(ErrorCode::InvalidDescriptor, place_text(*manifest_, binding),
                         " got address ", address, ", which is no acceleration structure's");
  }
  record_range(*place, element, instance, {.address = address, .size = 0});
  return Done{};
}

Status DescriptorWriter::null(BindingId binding, uint32_t element, uint32_t instance) {
  const Place* place = find(kNull, binding, element, instance);
  if (place == nullptr) return refuse(kNull, binding, element, instance);
  [[maybe_unused]] const size_t resource = record(*place, element, instance);
  return Done{};
}

Status DescriptorWriter::sampler(BindingId binding, uint32_t element, uint32_t tuple,
                                 const VkSamplerCreateInfo& info) {
  const Place* place = find(kSampler, binding, element, tuple);
  if (place == nullptr) return refuse(kSampler, binding, element, tuple);
  detail::SamplerChain chain;
  if (Status status = detail::copy_chain(info, chain); !status) return status;
  samplerChainIndices_.push_back(info.pNext == nullptr ? kNoChain : samplerChains_.size());
  if (info.pNext != nullptr) samplerChains_.push_back(chain);
  samplers_.push_back(info);
  samplerTargets_.push_back({.address = heaps_->samplers.mapped + place->samplerOffset +
                                        tuple * place->samplerStep +
                                        uint64_t{element} * place->samplerSize,
                             .size = place->samplerSize});
  return Done{};
}

/// Nothing is recorded any more, so nothing moves.
void DescriptorWriter::link_resources() {
  for (TexelBuffer& texels : texelBuffers_) {
    resources_[texels.resource].data.pTexelBuffer = &texels.info;
  }
  for (Image& image : images_) {
    image.view.pNext = image.chain == kNoChain ? nullptr : detail::link(imageChains_[image.chain]);
    image.info.pView = &image.view;
    resources_[image.resource].data.pImage = &image.info;
  }
}

void DescriptorWriter::link_samplers() {
  for (size_t i = 0; i < samplers_.size(); ++i) {
    const size_t chain = samplerChainIndices_[i];
    samplers_[i].pNext = chain == kNoChain ? nullptr : detail::link(samplerChains_[chain]);
  }
}

Status DescriptorWriter::write() {
  if (resourceCount_ != 0) {
    link_resources();
    const VkResult result = device_->functions->vkWriteResourceDescriptorsEXT(
        device_->device, static_cast<uint32_t>(resourceCount_), resources_.data(),
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
  resourceCount_ = 0;
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
  return resourceCount_ + samplers_.size();
}

}  // namespace heapsmith
