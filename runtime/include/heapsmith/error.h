// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace heapsmith {

/// What went wrong. The values are stable: new ones are added at the end.
enum class ErrorCode : uint32_t {
  None = 0,
  // Device and profile.
  MissingExtension,  ///< the device does not list VK_EXT_descriptor_heap
  MissingFeature,    ///< the extension is listed, but a feature bit that is needed is off
  InvalidLimits,     ///< limits that the specification forbids (an alignment of 0, say)
  // Resolve.
  ResourceHeapTooLarge,   ///< exceeds maxResourceHeapSize
  SamplerHeapTooLarge,    ///< exceeds maxSamplerHeapSize
  MappingOffsetOverflow,  ///< a mapping's offset or stride does not fit into its 32 bits
  PushDataTooLarge,       ///< exceeds maxPushDataSize
  UnsupportedClass,       ///< a descriptor class that this device does not have (tensors)
  InvalidOverride,  ///< a capacity override for a table or binding that has none, or out of range
  // Manifest loading.
  InvalidManifest,     ///< malformed, or inconsistent in itself
  UnsupportedVersion,  ///< a newer major format version
  // Heap use.
  UnknownName,             ///< no table, binding, program or push field of that name
  TypeMismatch,            ///< a descriptor of another type than the binding's
  ElementOutOfRange,       ///< array element >= the binding's capacity
  InstanceOutOfRange,      ///< instance >= the table's capacity
  SamplerTuplesExhausted,  ///< more different sampler tuples than the table has room for
  InvalidDescriptor,  ///< a descriptor that the specification forbids (a buffer of 0 bytes, say)
  NoSuitableMemory,   ///< no host-visible coherent memory type for the heaps
  Vulkan,             ///< a Vulkan call failed; see Error::vkResult
  InvalidPipeline,    ///< a pipeline create-info that cannot be completed for heaps (a layout, say)
  ShaderRecordTooLarge,     ///< exceeds maxShaderGroupStride less the shader group handle
  TooManyEmbeddedSamplers,  ///< exceeds maxDescriptorHeapEmbeddedSamplers
};

/// The enumerator's name, for messages.
[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;

struct Error {
  ErrorCode code = ErrorCode::None;
  int32_t vkResult = 0;  ///< the VkResult when code is Vulkan, else 0
  std::string text;      ///< one sentence for a person
};

/// A value or an Error. Nothing is thrown and nothing is logged: the caller decides.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) noexcept : ok_(true) { new (static_cast<void*>(&value_)) T(std::move(value)); }
  Result(Error error) noexcept : ok_(false) {
    new (static_cast<void*>(&error_)) Error(std::move(error));
  }
  Result(Result&& other) noexcept : ok_(other.ok_) {
    if (ok_) {
      new (static_cast<void*>(&value_)) T(std::move(other.value_));
    } else {
      new (static_cast<void*>(&error_)) Error(std::move(other.error_));
    }
  }
  Result& operator=(Result&&) = delete;
  ~Result() {
    if (ok_) {
      value_.~T();
    } else {
      error_.~Error();
    }
  }

  [[nodiscard]] explicit operator bool() const noexcept { return ok_; }
  [[nodiscard]] bool has_value() const noexcept { return ok_; }

  [[nodiscard]] T& value() & noexcept { return assert(ok_), value_; }
  [[nodiscard]] const T& value() const& noexcept { return assert(ok_), value_; }
  [[nodiscard]] T&& value() && noexcept { return assert(ok_), std::move(value_); }
  [[nodiscard]] T& operator*() & noexcept { return value(); }
  [[nodiscard]] const T& operator*() const& noexcept { return value(); }
  [[nodiscard]] T* operator->() noexcept { return &value(); }
  [[nodiscard]] const T* operator->() const noexcept { return &value(); }
  [[nodiscard]] Error& error() noexcept { return assert(!ok_), error_; }
  [[nodiscard]] const Error& error() const noexcept { return assert(!ok_), error_; }

 private:
  bool ok_;
  union {
    T value_;
    Error error_;
  };
};

/// The result of an action that yields nothing.
struct Done {};
using Status = Result<Done>;

}  // namespace heapsmith
