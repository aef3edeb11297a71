// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rewrite/context.h"
#include "spirv/uses.h"

namespace heapsmith::rewrite {

enum class Shape : uint8_t { Buffer, Image, Sampler, CombinedImageSampler, AccelerationStructure };

/// A variable that leaves its set and binding, or a function's parameter that is handed pointers to
/// such variables.
struct Object {
  uint32_t id = 0;
  Shape shape{};
  spv::StorageClass storage{};                  ///< StorageBuffer for a BufferBlock
  uint32_t pointee = 0;                         ///< type
  uint32_t element = 0;                         ///< that type without its arrays
  const reflect::Resource* resource = nullptr;  ///< of a parameter: the first that reaches it
  const Placement* placement = nullptr;         ///< null for parameters
  uint32_t function = 0;                        ///< index; of parameters
};

/// Half of a combined image sampler, or the only half of another resource.
enum class Half : uint8_t { Resource, Sampler };

[[nodiscard]] bool has_half(const Object& object, Half half);
/// The class whose region holds that half.
[[nodiscard]] DescriptorClass class_of(const Object& object, Half half);

/// All that is rewritten, and the pointers that lead to it: copies, and access chains into arrays
/// of descriptors. Pointers into a buffer's contents are not among them: they stay as they are.
class Objects {
 public:
  [[nodiscard]] static Diagnosed<Objects> find(const Context& context);

  [[nodiscard]] std::span<const Object> all() const { return all_; }
  /// What a pointer leads to; null for all else.
  [[nodiscard]] const Object* of(uint32_t id) const {
    return id < owners_.size() && owners_[id] != 0 ? &all_[owners_[id] - 1] : nullptr;
  }
  [[nodiscard]] uint32_t index_of(const Object& object) const {
    return static_cast<uint32_t>(&object - all_.data());
  }
  [[nodiscard]] const spirv::Uses& uses() const { return uses_; }
  /// Index of the function with that id.
  [[nodiscard]] std::optional<uint32_t> function_index(uint32_t id) const;
  /// Whether a BufferBlock is rewritten, so that all of them change their class.
  [[nodiscard]] bool has_buffer_blocks() const { return hasBufferBlocks_; }

 private:
  explicit Objects(const Context& context, std::vector<Object> variables, bool hasBufferBlocks);
  void trace(const Context& context);
  void follow(const Context& context, const spirv::Use& use, std::vector<uint32_t>& open);
  void follow_call(const Context& context, const spirv::Use& use, std::vector<uint32_t>& open);

  std::vector<Object> all_;                               // variables, then parameters
  std::vector<uint32_t> owners_;                          // by id: index in all_ plus one
  std::vector<std::pair<uint32_t, uint32_t>> functions_;  // id and index, by id
  bool hasBufferBlocks_;
  spirv::Uses uses_;
};

}  // namespace heapsmith::rewrite
