// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rewrite/context.h"
#include "rewrite/followed_types.h"
#include "spirv/uses.h"

namespace heapsmith::rewrite {

enum class Shape : uint8_t { Buffer, Image, Sampler, CombinedImageSampler, AccelerationStructure };

/// What a function needs to reach an object.
enum class Reach : uint8_t {
  Slot,     ///< the slot of its descriptor
  Address,  ///< of the resource itself
  Words,    ///< nothing: its bytes are read word by word
};

/// What all pointers to a resource's memory must be told.
struct MemoryFacts {
  bool isWritten = false;
  bool isCoherent = false;
  bool isVolatile = false;

  /// Returns whether that is anything new.
  bool unite(const MemoryFacts& other);
  bool operator==(const MemoryFacts&) const = default;
};

/// A variable that leaves its set and binding, or a function's parameter that is handed pointers to
/// such variables, or what was loaded of them.
struct Object {
  uint32_t id = 0;
  Shape shape{};
  Reach reach{};
  spv::StorageClass storage{};  ///< StorageBuffer for a BufferBlock
  /// Type; of a parameter by value its own, of what an untyped variable holds its data type.
  uint32_t pointee = 0;
  uint32_t element = 0;                         ///< that type without its arrays
  const reflect::Resource* resource = nullptr;  ///< of a parameter: the first that reaches it
  const Placement* placement = nullptr;         ///< null for parameters
  uint32_t function = 0;                        ///< index; of parameters
  /// By half: whether each element has a word of its own. Of parameters: arrays of such elements.
  std::array<bool, 2> scattered{};
  MemoryFacts memory{};     ///< of parameters: of all that they are handed
  bool isHandedOn = false;  ///< to functions, which make pointers of their own
};

/// Half of a combined image sampler, or the only half of another resource.
enum class Half : uint8_t { Resource, Sampler };

[[nodiscard]] bool has_half(const Object& object, Half half);
/// The class whose region holds that half.
[[nodiscard]] DescriptorClass class_of(const Object& object, Half half);

/// The type of what a typed pointer leads to, or of a value.
[[nodiscard]] uint32_t type_behind(const spirv::Module& module, uint32_t id);

[[nodiscard]] bool is_untyped_pointer(const spirv::Module& module, uint32_t id);

/// All that is rewritten, and what leads to it: copies of pointers, and access chains into arrays
/// of descriptors. Pointers into a buffer's contents are not among them: they stay as they are.
///
/// Heaps have neither arrays that can be loaded as a whole nor images with their samplers, and to
/// load a descriptor later gives the same. So these values count as pointers to what they were
/// loaded from, whatever copies them or takes elements out of them.
class Objects {
 public:
  [[nodiscard]] static Diagnosed<Objects> find(const Context& context);

  [[nodiscard]] std::span<const Object> all() const { return all_; }
  /// What a pointer or a value leads to; null for all else.
  [[nodiscard]] const Object* of(uint32_t id) const {
    return id < owners_.size() && owners_[id] != 0 ? &all_[owners_[id] - 1] : nullptr;
  }
  /// The type of what a pointer or a value leads to that of() knows.
  [[nodiscard]] uint32_t type_behind(const Context& context, uint32_t id) const;
  [[nodiscard]] uint32_t index_of(const Object& object) const {
    return static_cast<uint32_t>(&object - all_.data());
  }
  [[nodiscard]] const spirv::Uses& uses() const { return uses_; }
  /// Index of the function with that id.
  [[nodiscard]] std::optional<uint32_t> function_index(uint32_t id) const;
  /// Whether a BufferBlock is rewritten, so that all of them change their class.
  [[nodiscard]] bool has_buffer_blocks() const { return contents_.bufferBlocks; }
  /// Whether a buffer without a descriptor is rewritten.
  [[nodiscard]] bool has_data() const { return contents_.data; }

 private:
  explicit Objects(const Context& context, std::vector<Object> variables,
                   FollowedContents contents);
  [[nodiscard]] Diagnosed<void> refuse_initial_pointers(const Context& context) const;
  void trace(const Context& context);
  void follow(const Context& context, const spirv::Use& use, std::vector<uint32_t>& open);
  void follow_call(const Context& context, const spirv::Use& use, std::vector<uint32_t>& open);
  void hand_on_facts();
  [[nodiscard]] uint32_t type_behind_result(const Context& context, const spirv::Use& use) const;

  std::vector<uint8_t> followed_;                         // by type: whether its ids may lead on
  std::vector<Object> all_;                               // variables, then parameters
  std::vector<uint32_t> owners_;                          // by id: index in all_ plus one
  std::vector<std::pair<uint32_t, uint32_t>> handed_;     // of all_: arguments and parameters
  std::vector<std::pair<uint32_t, uint32_t>> functions_;  // id and index, by id
  std::unordered_map<uint32_t, uint32_t> untyped_;        // by untyped pointer: what it leads to
  FollowedContents contents_;
  spirv::Uses uses_;
};

}  // namespace heapsmith::rewrite
