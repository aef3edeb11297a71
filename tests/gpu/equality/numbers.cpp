// SPDX-License-Identifier: MIT
#include "numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace equality {
namespace {

using heapsmith::reflect::BlockMember;
using heapsmith::reflect::BlockType;
using heapsmith::reflect::TypeKind;

template <typename T>
void put(std::span<std::byte> bytes, T value) {
  if (bytes.size() >= sizeof value) std::memcpy(bytes.data(), &value, sizeof value);
}

// Of a number in [0, 2048) that is whole in sixteenths.
uint16_t half(float value) {
  if (value == 0) return 0;
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((((bits >> 23) - 127 + 15) << 10) | ((bits >> 13) & 0x3FF));
}

uint32_t size_of(std::string_view scalar) {
  if (scalar.ends_with("64") || scalar == "address") return 8;
  if (scalar.ends_with("16")) return 2;
  return scalar.ends_with("32") ? 4 : 1;
}

std::span<std::byte> from(std::span<std::byte> bytes, uint64_t offset) {
  return bytes.subspan(std::min<uint64_t>(offset, bytes.size()));
}

class Filler {
 public:
  Filler(std::span<const BlockType> types, Numbers& numbers) : types_(types), numbers_(numbers) {}

  // `member` has the layout of the matrices inside.
  void fill(std::span<std::byte> bytes, const BlockType& type, const BlockMember* member) {
    if (bytes.empty()) return;
    switch (type.kind) {
      case TypeKind::Scalar:
      case TypeKind::Vector:
        return fill_vector(bytes, type, type.rows);
      case TypeKind::Matrix:
        return fill_matrix(bytes, type, *member);
      case TypeKind::Array:
      case TypeKind::RuntimeArray:
        return fill_array(bytes, type, member);
      case TypeKind::Structure:
        for (const BlockMember& inner : type.members)
          fill(from(bytes, inner.offset), types_[inner.type], &inner);
        return;
      case TypeKind::Address:
        return put_number(bytes, "address", numbers_);
    }
  }

 private:
  void fill_vector(std::span<std::byte> bytes, const BlockType& type, uint32_t components) {
    for (uint32_t i = 0; i < components; ++i)
      put_number(from(bytes, uint64_t{i} * size_of(type.scalar)), type.scalar, numbers_);
  }

  void fill_matrix(std::span<std::byte> bytes, const BlockType& type, const BlockMember& member) {
    const uint32_t vectors = member.rowMajor ? type.rows : type.columns;
    const uint32_t components = member.rowMajor ? type.columns : type.rows;
    for (uint32_t i = 0; i < vectors; ++i)
      fill_vector(from(bytes, uint64_t{i} * member.matrixStride), type, components);
  }

  void fill_array(std::span<std::byte> bytes, const BlockType& type, const BlockMember* member) {
    const uint64_t stride = std::max<uint64_t>(type.stride, 1);
    const uint64_t room = (bytes.size() + stride - 1) / stride;
    const uint64_t length = type.length == 0 ? room : std::min(type.length, room);
    for (uint64_t i = 0; i < length; ++i)
      fill(from(bytes, i * stride), types_[type.element], member);
  }

  std::span<const BlockType> types_;
  Numbers& numbers_;
};

}  // namespace

// A linear congruential generator, its good bits.
uint32_t Numbers::bits() {
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  return static_cast<uint32_t>(state_ >> 33);
}

void put_number(std::span<std::byte> bytes, std::string_view type, Numbers& numbers) {
  if (type == "float32") return put(bytes, numbers.real());
  if (type == "float64") return put(bytes, static_cast<double>(numbers.real()));
  if (type == "float16") return put(bytes, half(numbers.real()));
  if (type == "address") return put(bytes, numbers.address());
  switch (size_of(type)) {
    case 8:
      return put(bytes, uint64_t{numbers.integer()});
    case 4:
      return put(bytes, numbers.integer());
    case 2:
      return put(bytes, static_cast<uint16_t>(numbers.bits() & 0xFF));
    default:
      return put(bytes, static_cast<uint8_t>(numbers.bits()));
  }
}

void put_block(std::span<std::byte> bytes, std::span<const BlockType> types, uint32_t block,
               Numbers& numbers) {
  Filler(types, numbers).fill(bytes, types[block], nullptr);
}

}  // namespace equality
