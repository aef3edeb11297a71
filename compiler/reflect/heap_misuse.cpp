// SPDX-License-Identifier: MIT
#include "reflect/heap_misuse.h"

#include <unordered_map>

#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

bool declares(const Context& context, spv::Capability capability) {
  for (const Instruction instruction : context.module.declarations())
    if (instruction.op() == spv::Op::OpCapability &&
        static_cast<spv::Capability>(instruction.word(1)) == capability)
      return true;
  return false;
}

/// The OpBufferPointerEXT that a pointer into a buffer comes from; 0 if that is not clear.
uint32_t buffer_of(const spirv::Module& module, uint32_t pointer) {
  for (;;) {
    const Instruction made = module.definition(pointer);
    if (made.op() == spv::Op::OpBufferPointerEXT) return pointer;
    if (spirv::is_access_chain(made.op()))
      pointer = spirv::read_access_chain(module, made).base;
    else if (made.op() == spv::Op::OpCopyObject)
      pointer = made.word(3);
    else
      return 0;
  }
}

/// Where a buffer's descriptor is, as text; empty if that is no constant.
std::string position_of(const Context& context, const HeapSources& sources,
                        std::span<const HeapChain> chains, uint32_t pointer) {
  const uint32_t buffer = buffer_of(context.module, pointer);
  if (buffer == 0) return {};
  const auto nodes = sources.of(context.module.definition(buffer).word(3));
  if (nodes.size() != 1 || !chains[nodes[0]].position) return {};
  return chains[nodes[0]].position->text;
}

}  // namespace

std::optional<std::string> find_misuse(const Context& context, const HeapChain& chain,
                                       Instruction reader) {
  const Instruction read = context.module.definition(chain.type);
  if (reader.op() == spv::Op::OpBufferPointerEXT) {
    const spv::StorageClass wanted =
        spirv::storage_class(context.module.definition(reader.type_id()));
    if (read.op() != spv::Op::OpTypeBufferEXT ||
        static_cast<spv::StorageClass>(read.word(2)) == wanted)
      return std::nullopt;
    return "makes a pointer to a buffer of one storage class from a descriptor of another: "
           "OpTypeBufferEXT says which class the descriptor is for";
  }
  const uint32_t loaded = reader.op() == spv::Op::OpLoad ? reader.type_id() : chain.type;
  if (context.module.definition(loaded).op() == spv::Op::OpTypeSampledImage)
    return "loads an image together with its sampler, which no heap holds: load the image from "
           "the resource heap and the sampler from the sampler heap";
  return std::nullopt;
}

std::optional<MixedBuffers> find_mixed_buffers(const Context& context, const ModuleUses& uses,
                                               const HeapSources& sources,
                                               std::span<const HeapChain> chains) {
  if (!declares(context, spv::Capability::VariablePointersStorageBuffer) ||
      declares(context, spv::Capability::VariablePointers))
    return std::nullopt;
  std::unordered_map<uint32_t, std::string> positions;  // by OpSelect or OpPhi
  for (const Flow& flow : uses.flows) {
    const spv::Op op = context.module.definition(flow.to).op();
    if (op != spv::Op::OpSelect && op != spv::Op::OpPhi) continue;
    const std::string position = position_of(context, sources, chains, flow.from);
    if (position.empty()) continue;
    const auto [known, isNew] = positions.try_emplace(flow.to, position);
    if (!isNew && known->second != position) return MixedBuffers{.id = flow.to};
  }
  return std::nullopt;
}

}  // namespace heapsmith::reflect
