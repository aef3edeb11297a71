// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "heapsmith/manifest.h"

namespace heapsmith {

/// Owns what a Manifest that was not compiled in points to. Build the arrays in vectors, then
/// keep() them. Move-only: moving does not invalidate the spans and views.
class ManifestStorage {
 public:
  Manifest manifest;

  ManifestStorage() = default;
  ManifestStorage(ManifestStorage&&) noexcept = default;
  ManifestStorage& operator=(ManifestStorage&&) noexcept = default;

  /// The copy is NUL-terminated, as the literals of a generated header are.
  [[nodiscard]] std::string_view keep(std::string_view text) {
    if (text.empty()) return "";
    blocks_.push_back(std::make_unique<std::byte[]>(text.size() + 1));
    std::memcpy(blocks_.back().get(), text.data(), text.size());
    return {reinterpret_cast<const char*>(blocks_.back().get()), text.size()};
  }

  template <typename T>
  [[nodiscard]] std::span<const T> keep(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
    if (values.empty()) return {};
    return {static_cast<const T*>(copy(values.data(), values.size() * sizeof(T))), values.size()};
  }

 private:
  const void* copy(const void* bytes, size_t size) {
    blocks_.push_back(std::make_unique<std::byte[]>(size));
    return std::memcpy(blocks_.back().get(), bytes, size);
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace heapsmith
