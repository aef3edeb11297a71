// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

/// What the structs of generated headers are made of, beside plain arrays.
namespace heapsmith {

/// A buffer reference: the device address of a T, as shaders read it.
template <typename T>
struct alignas(8) Address {
  uint64_t value = 0;  ///< VkDeviceAddress
};

/// A number at an address that C++ would not put it at: scalar block layout packs structures more
/// tightly than C++ can.
template <typename T>
class Unaligned {
 public:
  Unaligned() noexcept = default;
  Unaligned(const T& value) noexcept { std::memcpy(bytes_, &value, sizeof(T)); }
  operator T() const noexcept {
    T value;
    std::memcpy(&value, bytes_, sizeof(T));
    return value;
  }

 private:
  std::byte bytes_[sizeof(T)];
};

/// An array element that takes more room than its type has.
template <typename T, size_t Stride>
struct Strided {
  static_assert(Stride > sizeof(T) && Stride % alignof(T) == 0);

  T value;
  std::byte padding[Stride - sizeof(T)];

  constexpr operator T&() noexcept { return value; }
  constexpr operator const T&() const noexcept { return value; }
  constexpr Strided& operator=(const T& other) noexcept { return value = other, *this; }
};

}  // namespace heapsmith
