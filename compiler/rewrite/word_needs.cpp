// SPDX-License-Identifier: MIT
#include "rewrite/word_needs.h"

#include "rewrite/functions.h"

namespace heapsmith::rewrite {
namespace {

void add_offsets(const Location& location, spv::StorageClass storage, std::set<uint32_t>& offsets) {
  const bool push = storage == spv::StorageClass::PushConstant;
  switch (location.source) {
    case InstanceSource::None:
      return;
    case InstanceSource::PushWord:
      if (push) offsets.insert(location.pushOffset);
      return;
    case InstanceSource::IndirectWord:
    case InstanceSource::ScatteredWords:
      if (push) offsets.insert({location.pushOffset, location.pushOffset + 4});
      return;
    case InstanceSource::RecordWord:
      if (!push) offsets.insert(location.recordOffset);
      return;
  }
}

/// The halves of an address, the bytes of a block, or where they are.
void add_data(const DataLocation& location, const reflect::Resource& resource,
              spv::StorageClass storage, std::set<uint32_t>& offsets) {
  constexpr uint64_t kAddressSize = 8;
  const bool push = storage == spv::StorageClass::PushConstant;
  const auto add = [&](uint32_t first, uint64_t bytes) {
    for (uint64_t offset = 0; offset < bytes; offset += 4)
      offsets.insert(first + static_cast<uint32_t>(offset));
  };
  switch (location.source) {
    case DataSource::PushAddress:
    case DataSource::IndirectAddress:
      if (push) add(location.pushOffset, kAddressSize);
      return;
    case DataSource::RecordAddress:
      if (!push) add(location.recordOffset, kAddressSize);
      return;
    case DataSource::PushData:
      if (push) add(location.pushOffset, resource.blockSize);
      return;
    case DataSource::RecordData:
      if (!push) add(location.recordOffset, resource.blockSize);
      return;
    case DataSource::HeapData:
      if (push) offsets.insert(location.pushOffset);
      return;
  }
}

}  // namespace

std::vector<WordNeeds> find_word_needs(const Context& context, const Objects& objects,
                                       spv::StorageClass storage) {
  std::vector<WordNeeds> needs(context.module.functions().size());
  for (const Object& object : objects.all()) {
    if (object.placement == nullptr) continue;
    std::set<uint32_t> offsets;
    for (const auto* location : {&object.placement->resource, &object.placement->sampler})
      if (*location) add_offsets(**location, storage, offsets);
    if (const auto& data = object.placement->data)
      add_data(*data, *object.resource, storage, offsets);
    if (offsets.empty()) continue;
    for (const spirv::Use& use : objects.uses().of(object.id)) {
      WordNeeds& need = needs[function_at(context.module, use.instruction)];
      need.offsets.insert(offsets.begin(), offsets.end());
      need.resource = object.resource;
    }
  }
  return needs;
}

}  // namespace heapsmith::rewrite
