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

/// The halves of an address, or the bytes of a block.
void add_data(const DataLocation& location, const reflect::Resource& resource,
              spv::StorageClass storage, std::set<uint32_t>& offsets) {
  constexpr uint64_t kAddressSize = 8;
  if (storage != spv::StorageClass::PushConstant) return;
  const uint64_t bytes =
      location.source == DataSource::PushData ? resource.blockSize : kAddressSize;
  for (uint64_t offset = 0; offset < bytes; offset += 4)
    offsets.insert(location.pushOffset + static_cast<uint32_t>(offset));
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
