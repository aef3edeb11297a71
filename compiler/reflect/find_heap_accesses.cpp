// SPDX-License-Identifier: MIT
#include "reflect/find_heap_accesses.h"

#include <algorithm>
#include <format>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "reflect/classify_type.h"
#include "reflect/heap_chain.h"
#include "reflect/heap_misuse.h"
#include "reflect/heap_sources.h"
#include "reflect/qualifiers.h"
#include "reflect/type_text.h"
#include "spirv/types.h"

namespace heapsmith::reflect {
namespace {

using spirv::Instruction;

/// What is read at the end of a chain.
struct Element {
  std::optional<Classification> descriptor = std::nullopt;  ///< nothing: plain data
  uint32_t type = 0;    ///< of the image, sampler, ...; the block of a buffer, or what data has
  uint32_t reader = 0;  ///< id that the instruction makes which reads a descriptor
  Qualifiers qualifiers;
  uint16_t facts = 0;
};

/// What accesses that are one have in common: heap, descriptor type, type, shape of the chain.
using Key = std::tuple<bool, int, uint32_t, uint32_t, Qualifiers>;

struct State {
  const Context& context;
  const ModuleUses& uses;
  const std::vector<bool>& reachable;
  const std::vector<uint16_t>& facts;
  const HeapSources& sources;
  BlockLayouts& layouts;
  BlockTypes& types;
  std::vector<HeapChain> chains = {};  // by node
  std::vector<uint32_t> shapes = {};   // by node
  std::map<std::string, uint32_t> shapeIndices = {};
  std::unordered_map<uint32_t, uint32_t> blocks = {};  // by untyped pointer to a buffer
  std::map<Key, uint32_t> indices = {};                // into accesses
  std::vector<std::set<uint64_t>> slots = {};          // by access
  size_t readings = 0;
  FoundHeapAccesses result = {};

  [[nodiscard]] bool run();

 private:
  void read_chains();
  [[nodiscard]] uint32_t shape_of(const HeapChain& chain);
  void find_untyped_blocks();
  [[nodiscard]] bool scan_function(uint32_t function);
  [[nodiscard]] std::optional<Element> read_descriptor(uint32_t id) const;
  [[nodiscard]] std::optional<Element> read_buffer(Instruction pointer) const;
  [[nodiscard]] bool add(uint32_t function, uint32_t pointer, const Element& element);
  void add_through(uint32_t function, uint32_t node, bool samplerHeap, Element element);
  [[nodiscard]] bool check(uint32_t node, const Element& element);
  bool misuse(uint32_t id, std::string text);
  [[nodiscard]] HeapAccess make_access(const HeapChain& chain, bool samplerHeap,
                                       const Element& element);
};

bool State::run() {
  read_chains();
  if (const auto mixed = find_mixed_buffers(context, uses, sources, chains))
    return misuse(mixed->id,
                  "chooses between pointers into different buffers, which needs the capability "
                  "VariablePointers");
  find_untyped_blocks();
  for (uint32_t function = 0; function < uses.functions.size(); ++function)
    if (reachable[function] && !scan_function(function)) return false;
  for (size_t i = 0; i < result.accesses.size(); ++i) {
    auto& listed = result.accesses[i].slots;
    for (auto slot = slots[i].begin(); slot != slots[i].end(); ++slot)
      if (listed.size() < kMaxListedIndices) listed.push_back(*slot);
  }
  return true;
}

void State::read_chains() {
  const auto& nodes = sources.nodes();
  HeapChain start;
  start.offset = {.kind = HeapSizeKind::Literal, .bytes = 0, .text = "0", .specIds{}};
  start.position = start.offset;
  for (uint32_t node = 0; node < nodes.size(); ++node) {
    const Instruction chain = context.module.definition(nodes[node].id);
    if (spirv::is_access_chain(chain.op())) {
      const auto bases = sources.of(spirv::read_access_chain(context.module, chain).base);
      const bool isKnown = bases.size() == 1 && bases[0] < node;
      chains.push_back(read_heap_chain(context, chain, isKnown ? &chains[bases[0]] : nullptr));
    } else {
      chains.push_back(start);
    }
    shapes.push_back(shape_of(chains.back()));
  }
}

uint32_t State::shape_of(const HeapChain& chain) {
  std::string key = chain.offset.text;
  for (const HeapArray& array : chain.arrays)
    key += std::format("|{}|{}", array.length, array.stride.text);
  return shapeIndices.try_emplace(std::move(key), static_cast<uint32_t>(shapeIndices.size()))
      .first->second;
}

/// An untyped pointer to a buffer does not say what is in it, but what is done with it does.
void State::find_untyped_blocks() {
  for (const UntypedBlock& block : uses.untypedBlocks)
    if (context.module.definition(block.type).op() == spv::Op::OpTypeStruct)
      blocks.try_emplace(block.pointer, block.type);
  for (const Flow& flow : uses.flows) {
    const Instruction chain = context.module.definition(flow.to);
    if (!spirv::is_access_chain(chain.op())) continue;
    const Instruction base = context.module.definition(flow.from);
    if (base.op() != spv::Op::OpBufferPointerEXT) continue;
    const uint32_t type = spirv::read_access_chain(context.module, chain).baseType;
    if (context.module.definition(type).op() == spv::Op::OpTypeStruct)
      blocks.try_emplace(flow.from, type);
  }
}

bool State::scan_function(uint32_t function) {
  const FunctionUses& own = uses.functions[function];
  for (uint32_t i = own.flows.begin; i < own.flows.end; ++i) {
    const Flow& flow = uses.flows[i];
    if (sources.heaps_of(flow.from) == 0 || sources.heaps_of(flow.to) != 0) continue;
    const auto element = read_descriptor(flow.to);
    if (element && !add(function, flow.from, *element)) return false;
  }
  for (uint32_t i = own.seeds.begin; i < own.seeds.end; ++i) {
    const Seed& seed = uses.seeds[i];
    if (sources.heaps_of(seed.id) == 0 || (seed.facts & kReads) == 0) continue;
    if (!add(function, seed.id, {.facts = seed.facts})) return false;
  }
  return true;
}

std::optional<Element> State::read_descriptor(uint32_t id) const {
  const Instruction made = context.module.definition(id);
  if (made.op() == spv::Op::OpBufferPointerEXT) return read_buffer(made);
  const bool isTexel = made.op() == spv::Op::OpUntypedImageTexelPointerEXT;
  if (made.op() != spv::Op::OpLoad && !isTexel) return std::nullopt;
  const uint32_t type = isTexel ? made.word(3) : made.word(1);
  auto found = classify_type(context, 0, spv::StorageClass::UniformConstant, type);
  if (!found) return std::nullopt;
  return Element{.descriptor = std::move(*found), .type = type, .reader = id, .facts = facts[id]};
}

std::optional<Element> State::read_buffer(Instruction pointer) const {
  const uint32_t id = pointer.word(2);
  const Instruction type = context.module.definition(pointer.word(1));
  const bool isStorage = spirv::storage_class(type) == spv::StorageClass::StorageBuffer;
  Element element{.reader = id, .facts = facts[id]};
  add_qualifiers(context, id, spirv::kNoMember, element.qualifiers);
  element.type = spirv::pointee(context.module, pointer.word(1));
  if (const auto block = blocks.find(id); element.type == 0 && block != blocks.end())
    element.type = block->second;
  element.descriptor = Classification{
      .type = isStorage ? DescriptorType::StorageBuffer : DescriptorType::UniformBuffer,
      .kind = !isStorage                       ? ResourceKind::UniformBuffer
              : element.qualifiers.nonWritable ? ResourceKind::ReadOnlyStorageBuffer
                                               : ResourceKind::ReadWriteStorageBuffer};
  return element;
}

/// False if there is too much to combine.
bool State::add(uint32_t function, uint32_t pointer, const Element& element) {
  const auto nodes = sources.of(pointer);
  readings += nodes.size();
  if (readings > 65536 + 16 * (uses.flows.size() + uses.seeds.size())) {
    (void)context.diagnostics.error(
        Code::UnsupportedSpirv, {.file = context.file},
        "functions read too many pointers into the heaps in too many places to tell them apart");
    return false;
  }
  for (const uint32_t node : nodes) {
    if (!check(node, element)) return false;
    const uint8_t heaps = sources.heaps_of(sources.nodes()[node].id);
    if ((heaps & kResourceHeap) != 0) add_through(function, node, false, element);
    if ((heaps & kSamplerHeap) != 0) add_through(function, node, true, element);
  }
  return true;
}

bool State::check(uint32_t node, const Element& element) {
  if (element.reader == 0) return true;
  auto wrong = find_misuse(context, chains[node], context.module.definition(element.reader));
  return !wrong || misuse(element.reader, std::move(*wrong));
}

/// Always false.
bool State::misuse(uint32_t id, std::string text) {
  std::string name = context.annotations.name(id);
  if (name.empty()) name = std::format("%{}", id);
  text = std::format("'{}' {}", name, text);
  (void)context.diagnostics.error(
      Code::HeapMisuse, {.file = context.file, .resource = std::move(name)}, std::move(text));
  return false;
}

void State::add_through(uint32_t function, uint32_t node, bool samplerHeap, Element element) {
  const HeapChain& chain = chains[node];
  unite(element.qualifiers, chain.qualifiers);
  if (!element.descriptor) element.type = chain.type;
  const int descriptor = element.descriptor ? static_cast<int>(element.descriptor->type) : -1;
  const auto [entry, isNew] =
      indices.try_emplace({samplerHeap, descriptor, element.type, shapes[node], element.qualifiers},
                          static_cast<uint32_t>(result.accesses.size()));
  if (isNew) {
    result.accesses.push_back(make_access(chain, samplerHeap, element));
    slots.emplace_back();
  }
  HeapAccess& access = result.accesses[entry->second];
  access.indexing = std::max(access.indexing, chain.indexing);
  if (chain.indexing == HeapIndexing::Constant && !chain.arrays.empty())
    slots[entry->second].insert(chain.slot);
  const uint16_t bits = element.facts;
  const bool isMarked = (facts[sources.nodes()[node].id] & (kNonUniform | kNonUniformIndex)) != 0;
  access.nonUniformlyIndexed |=
      chain.indexing == HeapIndexing::Dynamic && (chain.nonUniform || isMarked);
  access.isRead |= (bits & kReads) != 0;
  access.isWritten |=
      (bits & kWrites) != 0 && access.type != DescriptorType::AccelerationStructureKHR;
  access.comparison |= (bits & kComparison) != 0;
  access.usesLength |= (bits & kLength) != 0;
  access.usesAtomics |= (bits & kAtomics) != 0;
  access.usesDerivatives |= (bits & kDerivatives) != 0;
  result.uses.push_back(
      {.access = entry->second, .reader = function, .chain = sources.nodes()[node].function});
}

HeapAccess State::make_access(const HeapChain& chain, bool samplerHeap, const Element& element) {
  HeapAccess access;
  access.samplerHeap = samplerHeap;
  access.offset = chain.offset;
  access.arrays = chain.arrays;
  access.qualifiers = element.qualifiers;
  if (!element.descriptor) {
    access.dataType = type_text(context, element.type);
    return access;
  }
  access.type = element.descriptor->type;
  access.kind = element.descriptor->kind;
  access.image = element.descriptor->image;
  if (access.kind == ResourceKind::ReadWriteImage && access.qualifiers.nonWritable)
    access.kind = ResourceKind::ReadOnlyImage;
  const bool isBuffer =
      access.type == DescriptorType::UniformBuffer || access.type == DescriptorType::StorageBuffer;
  if (!isBuffer || context.module.definition(element.type).op() != spv::Op::OpTypeStruct)
    return access;
  access.blockName = context.annotations.name(element.type);
  if (layouts.of(element.type).defect.empty()) access.block = types.add(element.type);
  return access;
}

}  // namespace

Diagnosed<FoundHeapAccesses> find_heap_accesses(const Context& context, const ModuleUses& uses,
                                                const std::vector<bool>& reachable,
                                                const std::vector<uint16_t>& facts,
                                                std::span<const HeapVariable> heaps,
                                                BlockLayouts& layouts, BlockTypes& types) {
  const auto sources = HeapSources::find(context, uses, reachable, heaps);
  if (!sources) return std::unexpected(sources.error());
  State state{.context = context,
              .uses = uses,
              .reachable = reachable,
              .facts = facts,
              .sources = *sources,
              .layouts = layouts,
              .types = types};
  if (!state.run()) return context.diagnostics.failed();
  return std::move(state.result);
}

}  // namespace heapsmith::reflect
