// SPDX-License-Identifier: MIT
#include "rewrite/ordered_loads.h"

#include <set>
#include <utility>

#include "spirv/types.h"

namespace heapsmith::rewrite {
namespace {

using spirv::Instruction;

class Search {
 public:
  Search(const spirv::Module& module, const spirv::Annotations& annotations)
      : module_(module), annotations_(annotations) {}

  std::vector<uint32_t> run() {
    for (const Instruction instruction : module_.instructions())
      read(instruction);
    std::vector<uint32_t> ordered;
    for (const auto& [load, base] : loads_) {
      const bool alone = written_.empty() || (written_.size() == 1 && written_.contains(base));
      if (barriers_ || !alone) ordered.push_back(load);
    }
    return ordered;
  }

 private:
  void read(Instruction instruction) {
    switch (instruction.op()) {
      case spv::Op::OpLoad:
        if (is_buffer(instruction.word(3)))
          loads_.emplace_back(instruction.word(2), base_of(instruction.word(3)));
        return;
      case spv::Op::OpStore:
      case spv::Op::OpCopyMemory:
      case spv::Op::OpAtomicStore:
      case spv::Op::OpCooperativeMatrixStoreKHR:
        return add_write(instruction.word(1));
      case spv::Op::OpControlBarrier:
      case spv::Op::OpMemoryBarrier:
        barriers_ = true;
        return;
      default:
        // Those with a result, of which OpAtomicLoad alone writes nothing.
        if (is_atomic(instruction.op())) add_write(instruction.word(3));
    }
  }

  static bool is_atomic(spv::Op op) {
    return (op >= spv::Op::OpAtomicExchange && op <= spv::Op::OpAtomicXor) ||
           op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicFMinEXT ||
           op == spv::Op::OpAtomicFMaxEXT;
  }

  void add_write(uint32_t pointer) {
    if (is_buffer(pointer)) written_.insert(base_of(pointer));
  }

  /// Whether it points into a buffer that shaders can write.
  bool is_buffer(uint32_t pointer) const {
    const Instruction type = module_.definition(module_.definition(pointer).type_id());
    const spv::StorageClass storage = spirv::storage_class(type);
    if (storage != spv::StorageClass::Uniform)
      return storage == spv::StorageClass::StorageBuffer ||
             storage == spv::StorageClass::PhysicalStorageBuffer;
    const Instruction base = module_.definition(base_of(pointer));
    if (base.op() != spv::Op::OpVariable) return false;
    const uint32_t block = spirv::array_element(module_, spirv::variable_type(module_, base));
    return annotations_.has(block, spv::Decoration::BufferBlock);
  }

  uint32_t base_of(uint32_t pointer) const {
    for (;;) {
      const Instruction made = module_.definition(pointer);
      const bool leadsOn = spirv::is_access_chain(made.op()) || made.op() == spv::Op::OpCopyObject;
      if (!leadsOn) return pointer;
      pointer = made.op() == spv::Op::OpCopyObject ? made.word(3)
                                                   : spirv::read_access_chain(module_, made).base;
    }
  }

  const spirv::Module& module_;
  const spirv::Annotations& annotations_;
  std::vector<std::pair<uint32_t, uint32_t>> loads_;  // with the memory that they read
  std::set<uint32_t> written_;
  bool barriers_ = false;
};

}  // namespace

std::vector<uint32_t> ordered_loads(const spirv::Module& module,
                                    const spirv::Annotations& annotations) {
  return Search(module, annotations).run();
}

}  // namespace heapsmith::rewrite
