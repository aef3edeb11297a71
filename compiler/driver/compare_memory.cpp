// SPDX-License-Identifier: MIT
#include "driver/compare_memory.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>
#include <vector>

#include "rewrite/functions.h"
#include "spirv/types.h"

namespace heapsmith::driver {
namespace {

using spirv::Instruction;

/// Bits of Memory Semantics.
constexpr uint32_t kOrders = 0x2 | 0x4 | 0x8 | 0x10;
constexpr uint32_t kMemories[] = {0x40, 0x80, 0x100, 0x800, 0x1000};  // those that shaders share
constexpr uint32_t kVolatileAccess = 0x1;                             // of Memory Operands

/// What a function body does, as far as other invocations or the host can notice.
struct MemoryUse {
  std::set<std::string> guarded;               ///< what is coherent or volatile
  std::set<std::string> unshared;              ///< what is restrict
  std::set<uint32_t> executionScopes;          ///< of control barriers
  std::map<uint32_t, uint32_t> barrierScopes;  ///< by memory, the widest
  std::set<uint32_t> atomicOrders;             ///< of atomics that order memory
  bool volatileAccess = false;
};

/// Scopes by width.
uint32_t width(uint32_t scope) {
  constexpr uint32_t kQueueFamily = 5;
  return scope == kQueueFamily ? 1 : scope;
}

class Reader {
 public:
  explicit Reader(const AnnotatedModule& input)
      : module_(input.module), annotations_(input.annotations) {}

  MemoryUse run(size_t entryPoint) {
    const auto trees = rewrite::find_call_trees(module_);
    for (const uint32_t function : trees[entryPoint].functions) {
      for (const Instruction instruction : module_.body(module_.functions()[function]))
        read(instruction);
    }
    return std::move(use_);
  }

 private:
  void read(Instruction instruction) {
    read_barrier(instruction);
    read_access(instruction);
    if (instruction.op() == spv::Op::OpBufferPointerEXT)
      add_object(instruction.word(2), spirv::pointee(module_, instruction.word(1)));
    if (instruction.op() == spv::Op::OpUntypedAccessChainKHR && is_view(instruction.word(3)))
      add_object(0, instruction.word(3));
    const Instruction type = module_.definition(instruction.type_id());
    if (spirv::storage_class(type) == spv::StorageClass::PhysicalStorageBuffer)
      add_object(instruction.result_id(), spirv::pointee(module_, type.word(1)));
    for (const uint32_t word : instruction.words_from(1)) {
      const Instruction variable = module_.definition(word);
      if (variable.op() == spv::Op::OpVariable && is_shared(spirv::storage_class(variable)))
        add_object(word, spirv::variable_type(module_, variable));
    }
  }

  static bool is_shared(spv::StorageClass storage) {
    return storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform ||
           storage == spv::StorageClass::UniformConstant;
  }

  /// A structure that says of images in a heap what variables say otherwise.
  bool is_view(uint32_t type) const {
    const Instruction structure = module_.definition(type);
    if (structure.op() != spv::Op::OpTypeStruct || structure.length() != 3) return false;
    const uint32_t held = spirv::array_element(module_, structure.word(2));
    return module_.definition(held).op() == spv::Op::OpTypeImage;
  }

  void add_object(uint32_t id, uint32_t type) {
    const std::set<spv::Decoration> said = decorations_of(id);
    std::set<spv::Decoration> parts;
    add_parts(type, parts);
    const bool isVolatile = has(said, parts, spv::Decoration::Volatile);
    const bool coherent = isVolatile || has(said, parts, spv::Decoration::Coherent);
    const uint32_t whole = is_view(type) ? module_.definition(type).word(2) : type;
    const std::string what = text(spirv::array_element(module_, whole));
    if (coherent) use_.guarded.insert(std::format("{} {}", what, isVolatile));
    if (has(said, parts, spv::Decoration::Restrict)) use_.unshared.insert(what);
  }

  static bool has(const std::set<spv::Decoration>& a, const std::set<spv::Decoration>& b,
                  spv::Decoration wanted) {
    return a.contains(wanted) || b.contains(wanted);
  }

  std::set<spv::Decoration> decorations_of(uint32_t id) const {
    std::set<spv::Decoration> kinds;
    for (const spirv::Annotation& annotation : annotations_.of(id))
      kinds.insert(annotation.kind);
    return kinds;
  }

  void add_parts(uint32_t type, std::set<spv::Decoration>& kinds) const {
    const Instruction structure = module_.definition(spirv::array_element(module_, type));
    if (structure.op() != spv::Op::OpTypeStruct) return;
    kinds.merge(decorations_of(structure.word(1)));
    for (const uint32_t member : structure.words_from(2))
      add_parts(member, kinds);
  }

  /// The same for equal types of two modules.
  std::string text(uint32_t id) const {
    const Instruction type = module_.definition(id);
    switch (type.op()) {
      case spv::Op::OpTypeStruct: {
        std::string members;
        for (const uint32_t member : type.words_from(2))
          members += text(member) + ";";
        return "{" + members + "}";
      }
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray:
        return text(type.word(2)) + "[]";
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
        return std::format("{}x{}", text(type.word(2)), type.word(3));
      case spv::Op::OpTypeImage: {
        std::string image = "image of " + text(type.word(2));
        for (const uint32_t word : type.words_from(3))
          image += std::format(" {}", word);
        return image;
      }
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
        return std::format("{} {} {}", static_cast<uint32_t>(type.op()), type.word(2),
                           type.word(3));
      default:  // addresses, and what has no parts
        return std::format("{}", static_cast<uint32_t>(type.op()));
    }
  }

  uint32_t constant(uint32_t id) const { return module_.definition(id).word(3); }

  void read_barrier(Instruction instruction) {
    switch (instruction.op()) {
      case spv::Op::OpControlBarrier:
        use_.executionScopes.insert(constant(instruction.word(1)));
        return add_barrier(constant(instruction.word(2)), constant(instruction.word(3)));
      case spv::Op::OpMemoryBarrier:
        return add_barrier(constant(instruction.word(1)), constant(instruction.word(2)));
      case spv::Op::OpAtomicStore:
        return add_atomic(constant(instruction.word(3)));
      default:
        if (is_atomic(instruction.op())) add_atomic(constant(instruction.word(5)));
    }
  }

  static bool is_atomic(spv::Op op) {
    return (op >= spv::Op::OpAtomicLoad && op <= spv::Op::OpAtomicXor) ||
           op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicFMinEXT ||
           op == spv::Op::OpAtomicFMaxEXT;
  }

  void add_barrier(uint32_t scope, uint32_t semantics) {
    if ((semantics & kOrders) == 0) return;
    for (const uint32_t memory : kMemories) {
      if ((semantics & memory) == 0) continue;
      const auto [entry, isNew] = use_.barrierScopes.try_emplace(memory, width(scope));
      if (!isNew) entry->second = std::min(entry->second, width(scope));
    }
  }

  void add_atomic(uint32_t semantics) {
    const bool ordersMemory =
        std::ranges::any_of(kMemories, [&](uint32_t memory) { return (semantics & memory) != 0; });
    if (ordersMemory && (semantics & kOrders) != 0) use_.atomicOrders.insert(semantics & kOrders);
  }

  void read_access(Instruction instruction) {
    uint32_t operands = 0;
    if (instruction.op() == spv::Op::OpLoad) operands = instruction.word(4);
    if (instruction.op() == spv::Op::OpStore || instruction.op() == spv::Op::OpCopyMemory)
      operands = instruction.word(3);
    use_.volatileAccess |= (operands & kVolatileAccess) != 0;
  }

  const spirv::Module& module_;
  const spirv::Annotations& annotations_;
  MemoryUse use_;
};

bool has_barriers(const MemoryUse& wanted, const MemoryUse& found) {
  if (!std::ranges::includes(found.executionScopes, wanted.executionScopes)) return false;
  return std::ranges::all_of(wanted.barrierScopes, [&](const auto& barrier) {
    const auto same = found.barrierScopes.find(barrier.first);
    return same != found.barrierScopes.end() && same->second <= barrier.second;
  });
}

}  // namespace

std::string compare_memory(const AnnotatedModule& wanted, size_t entryPoint,
                           const AnnotatedModule& found) {
  const MemoryUse before = Reader(wanted).run(entryPoint);
  const MemoryUse after = Reader(found).run(0);
  if (!std::ranges::includes(after.guarded, before.guarded)) return "what is coherent or volatile";
  if (!std::ranges::includes(before.unshared, after.unshared)) return "what is restrict";
  if (!has_barriers(before, after)) return "barriers";
  if (!std::ranges::includes(after.atomicOrders, before.atomicOrders))
    return "atomic operations that order memory";
  if (before.volatileAccess && !after.volatileAccess) return "volatile loads or stores";
  return {};
}

}  // namespace heapsmith::driver
