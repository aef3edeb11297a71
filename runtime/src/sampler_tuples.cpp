// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "chains.h"
#include "heapsmith/writer.h"
#include "text.h"

namespace heapsmith {
namespace {

bool clamps_to_border(const VkSamplerCreateInfo& info) {
  return info.addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
         info.addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
         info.addressModeW == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
}

/// What a sampler is, as words that can be compared: fields that the sampler ignores are 0, padding
/// and pointers are left out.
void append_key(const VkSamplerCreateInfo& info, const detail::SamplerChain& chain,
                std::vector<uint32_t>& key) {
  const auto word = [](auto value) { return static_cast<uint32_t>(value); };
  const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  const bool border = clamps_to_border(info);
  const bool reduction = chain.reduction.sType != VkStructureType{};
  const bool customColor = chain.borderColor.sType != VkStructureType{};
  const uint32_t words[] = {
      info.flags,
      word(info.magFilter),
      word(info.minFilter),
      word(info.mipmapMode),
      word(info.addressModeU),
      word(info.addressModeV),
      word(info.addressModeW),
      bits(info.mipLodBias),
      info.anisotropyEnable,
      info.anisotropyEnable != VK_FALSE ? bits(info.maxAnisotropy) : 0,
      info.compareEnable,
      info.compareEnable != VK_FALSE ? word(info.compareOp) : 0,
      bits(info.minLod),
      bits(info.maxLod),
      border ? word(info.borderColor) : 0,
      info.unnormalizedCoordinates,
      // No struct is the same as weighted average.
      reduction ? word(chain.reduction.reductionMode)
                : word(VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE),
      border && customColor ? chain.borderColor.index : 0,
  };
  key.insert(key.end(), std::begin(words), std::end(words));
}

/// FNV-1a over words. A collision costs a comparison, nothing else.
uint64_t hash(std::span<const uint32_t> words) {
  uint64_t value = 0xcbf29ce484222325u;
  for (const uint32_t word : words)
    value = (value ^ word) * 0x100000001b3u;
  return value;
}

}  // namespace

SamplerTuples::SamplerTuples(const Manifest& manifest, const ResolvedLayout& layout, TableId table)
    : manifest_(&manifest), layout_(&layout), table_(table) {}

uint32_t SamplerTuples::find(uint64_t hash) const noexcept {
  const auto [first, last] = tuples_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const auto known = keys_.begin() + static_cast<ptrdiff_t>(it->second * key_.size());
    if (std::equal(key_.begin(), key_.end(), known)) return it->second;
  }
  return kNone;
}

Status SamplerTuples::write(DescriptorWriter& writer, uint32_t tuple,
                            std::span<const VkSamplerCreateInfo> samplers) const {
  const IndexRange bindings = manifest_->tables[table_.index].bindings;
  size_t next = 0;
  for (uint32_t i = bindings.first; i < bindings.first + bindings.count; ++i) {
    if (!is_in_sampler_tuples(manifest_->bindings[i])) continue;
    for (uint32_t element = 0; element < layout_->slots.bindings[i].capacity; ++element) {
      Status status = writer.sampler(BindingId{i}, element, tuple, samplers[next++]);
      if (!status) return status;
    }
  }
  return Done{};
}

Result<uint32_t> SamplerTuples::add(DescriptorWriter& writer,
                                    std::span<const VkSamplerCreateInfo> samplers) {
  const TableSlots& slots = layout_->slots.tables[table_.index];
  const std::string_view name = manifest_->tables[table_.index].name;
  const uint64_t expected = slots.slotsPerInstance[static_cast<size_t>(DescriptorClass::Sampler)];
  if (samplers.size() != expected) {
    return detail::error(ErrorCode::ElementOutOfRange, "table '", name, "' has ", expected,
                         " samplers an instance, not ", samplers.size());
  }
  key_.clear();
  for (const VkSamplerCreateInfo& info : samplers) {
    detail::SamplerChain chain;
    if (Status status = detail::copy_chain(info, chain); !status) return std::move(status.error());
    append_key(info, chain, key_);
  }
  const uint64_t keyHash = hash(key_);
  if (const uint32_t known = find(keyHash); known != kNone) return known;
  if (tuples_.size() >= slots.samplerInstances) {
    return detail::error(ErrorCode::SamplerTuplesExhausted, "table '", name, "' has room for ",
                         slots.samplerInstances,
                         " different sampler tuples; raise its sampler instances");
  }
  const auto tuple = static_cast<uint32_t>(tuples_.size());
  if (Status status = write(writer, tuple, samplers); !status) return std::move(status.error());
  keys_.insert(keys_.end(), key_.begin(), key_.end());
  tuples_.emplace(keyHash, tuple);
  return tuple;
}

}  // namespace heapsmith
