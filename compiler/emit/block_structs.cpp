// SPDX-License-Identifier: MIT
#include "emit/block_structs.h"

#include <algorithm>
#include <cstdint>
#include <format>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "emit/cpp_names.h"
#include "reflect/layout_rules.h"

namespace heapsmith::emit {
namespace {

using reflect::BlockMember;
using reflect::BlockType;
using reflect::TypeKind;

// A C++ type as a declaration spells it: `base name[dims]...`.
struct CppType {
  std::string base;
  std::vector<uint64_t> dims;
  uint64_t size = 0;       ///< bytes
  uint64_t alignment = 1;  ///< bytes
  uint64_t number =
      0;  ///< bytes of one, if base is a number: a last dimension can be lengthened by padding
};

std::string spelled(const CppType& type, std::string_view name) {
  std::string text = type.base;
  if (!name.empty()) text += std::format(" {}", name);
  for (const uint64_t dim : type.dims)
    text += std::format("[{}]", dim);
  return text;
}

// Numbers without a C++ type of their own (float16, bfloat16) are kept as bits.
std::string cpp_scalar(std::string_view scalar) {
  if (scalar == "float32") return "float";
  if (scalar == "float64") return "double";
  const uint32_t bits = reflect::scalar_size(scalar) * 8;
  return std::format("{}int{}_t", scalar.starts_with("int") ? "" : "u", bits);
}

CppType bytes(uint64_t size) {
  return {.base = "std::byte", .dims = {size}, .size = size};
}

constexpr uint64_t kLargestNumber = 8;

uint64_t round_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

class Writer {
 public:
  Writer(const reflect::MergedBlocks& blocks, const std::vector<StructNames>& names,
         const plan::MathTypes& math_types)
      : blocks_(blocks),
        names_(names),
        math_types_(math_types),
        sizes_(blocks.types.size()),
        alignments_(blocks.types.size(), 1) {}

  std::string run() {
    find_ends();
    declare_addressed();
    for (const uint32_t index : blocks_.structures)
      write_structure(index);
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void line(std::format_string<Arguments...> format, Arguments&&... arguments) {
    std::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  // A member on its way into the struct.
  struct Field {
    const BlockMember* member = nullptr;
    std::string name;
    uint64_t room = 0;  ///< bytes up to the next member, or to the end
    CppType type;
  };

  // The largest power of two that divides an offset or a stride, up to the alignment of the largest
  // number.
  static uint64_t power_of_two_in(uint64_t value) {
    return value == 0 ? kLargestNumber : std::min(kLargestNumber, value & (~value + 1));
  }

  // How far each structure may reach: to the size that its layout rule pads it to, unless it stands
  // somewhere with less room. A structure is used in fewer bytes than std140 would give it where
  // the block around it is laid out by scalar rules.
  // And how its members may be aligned, so that C++ makes it no longer than that.
  void find_ends() {
    ends_.resize(blocks_.types.size());
    allowed_.assign(blocks_.types.size(), kLargestNumber);
    std::vector<uint64_t> rooms(blocks_.types.size(), std::numeric_limits<uint64_t>::max());
    for (auto index = blocks_.structures.rbegin(); index != blocks_.structures.rend(); ++index) {
      const BlockType& structure = blocks_.types[*index];  // after all that contain it
      // What is copied as a whole must not reach into the runtime array behind it.
      const uint64_t room = std::min(rooms[*index], offset_of_tail(*index));
      uint64_t& end = ends_[*index] =
          std::max(structure.size, std::min(structure.paddedSize, room));
      while (allowed_[*index] > 1 && round_up(end, allowed_[*index]) > room)
        allowed_[*index] /= 2;
      for (const Field& field : sorted_fields(*index)) {
        const uint64_t offset = field.member->offset;
        const uint64_t left = end > offset ? end - offset : 0;
        limit(field, std::min(field.room, left), allowed_[*index], rooms);
      }
    }
  }

  uint64_t offset_of_tail(uint32_t index) const {
    const std::vector<Field> fields = sorted_fields(index);
    const bool hasTail = fields.size() > 1 &&
                         blocks_.types[fields.back().member->type].kind == TypeKind::RuntimeArray;
    return hasTail ? fields.back().member->offset : std::numeric_limits<uint64_t>::max();
  }

  // What a member's place means for the structure that it is or holds.
  void limit(const Field& field, uint64_t room, uint64_t allowed, std::vector<uint64_t>& rooms) {
    uint32_t inner = field.member->type;
    allowed = std::min(allowed, power_of_two_in(field.member->offset));
    while (blocks_.types[inner].kind == TypeKind::Array ||
           blocks_.types[inner].kind == TypeKind::RuntimeArray) {
      room = blocks_.types[inner].stride;
      allowed = std::min(allowed, power_of_two_in(room));
      inner = blocks_.types[inner].element;
    }
    rooms[inner] = std::min(rooms[inner], room);
    allowed_[inner] = std::min(allowed_[inner], allowed);
  }

  // Addresses may point forward.
  void declare_addressed() {
    std::vector<std::string> names;
    for (const BlockType& type : blocks_.types) {
      if (type.kind == TypeKind::Address && type.element != reflect::kNoType)
        names.push_back(names_[type.element].name);
    }
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    for (const std::string& name : names)
      line("struct {};", name);
    if (!names.empty()) line("");
  }

  void write_structure(uint32_t index) {
    std::vector<Field> fields = sorted_fields(index);
    const Field* tail = nullptr;
    if (!fields.empty() && blocks_.types[fields.back().member->type].kind == TypeKind::RuntimeArray)
      tail = &fields.back();
    const size_t count = fields.size() - (tail != nullptr ? 1 : 0);

    const std::string& name = names_[index].name;
    line("struct {} {{", name);
    uint64_t at = 0;
    uint64_t alignment = 1;
    uint32_t paddings = 0;
    for (size_t i = 0; i < count; ++i) {
      Field& field = fields[i];
      allowed_here_ = std::min(allowed_[index], power_of_two_in(field.member->offset));
      field.type = fitted(*field.member, field.room);
      pad(at, field.member->offset, paddings);
      line("  {};", spelled(field.type, field.name));
      at = field.member->offset + field.type.size;
      alignment = std::max(alignment, field.type.alignment);
    }
    const uint64_t end =
        tail != nullptr ? tail->member->offset : std::max(ends_[index], round_up(at, alignment));
    const bool fills_up = count != 0 && end % alignment == 0;
    if (fills_up) pad(at, end, paddings);
    if (tail != nullptr) {
      allowed_here_ = std::min(allowed_[index], power_of_two_in(tail->member->offset));
      write_tail(*tail);
    }
    line("}};");

    sizes_[index] = round_up(std::max(at, fills_up ? end : 0), alignment);
    alignments_[index] = alignment;
    if (count != 0) line("static_assert(sizeof({}) == {});", name, sizes_[index]);
    for (size_t i = 0; i < count; ++i)
      line("static_assert(offsetof({}, {}) == {});", name, fields[i].name,
           fields[i].member->offset);
    line("");
  }

  std::vector<Field> sorted_fields(uint32_t index) const {
    const BlockType& structure = blocks_.types[index];
    std::vector<Field> fields;
    for (size_t i = 0; i < structure.members.size(); ++i)
      fields.push_back({.member = &structure.members[i], .name = names_[index].members[i]});
    std::ranges::stable_sort(fields, {}, [](const Field& field) { return field.member->offset; });
    for (size_t i = 0; i < fields.size(); ++i) {
      const uint64_t next = i + 1 < fields.size() ? fields[i + 1].member->offset
                                                  : std::numeric_limits<uint64_t>::max();
      fields[i].room = next - fields[i].member->offset;
    }
    return fields;
  }

  void pad(uint64_t from, uint64_t to, uint32_t& paddings) {
    if (to <= from) return;
    line("  std::byte {}[{}];", std::format("padding{}_", paddings++), to - from);
  }

  void write_tail(const Field& field) {
    const BlockType& array = blocks_.types[field.member->type];
    allowed_here_ = std::min(allowed_here_, power_of_two_in(array.stride));
    const CppType element = strided(type_of(array.element, *field.member), array.stride);
    const std::string& name = field.name;
    line("  // {} is a runtime array: element i lies at {}_offset + i * {}_stride.", name, name,
         name);
    line("  using {}_element = {};", name, spelled(element, {}));
    line("  static constexpr size_t {}_offset = {};", name, field.member->offset);
    line("  static constexpr size_t {}_stride = {};", name, array.stride);
    line("  static_assert(sizeof({}_element) == {}_stride);", name, name);
  }

  // The member's type, or plain bytes where C++ would need more room or another alignment than the
  // shader gives it.
  CppType fitted(const BlockMember& member, uint64_t room) const {
    CppType type = type_of(member.type, member);
    if (type.size > room) type = trimmed(member);
    if (type.size > room || member.offset % type.alignment != 0)
      return bytes(std::min(type.size, room));
    return type;
  }

  // What lies behind the last element, up to its stride, may belong to the next member (HLSL's
  // constant buffers): then the whole is one array of numbers that ends where the last element
  // does.
  CppType trimmed(const BlockMember& member) const {
    const BlockType& type = blocks_.types[member.type];
    uint64_t count = 1;
    uint64_t stride = member.matrixStride;
    uint64_t last = 0;
    std::string scalar;
    if (type.kind == TypeKind::Matrix) {
      count = member.rowMajor ? type.rows : type.columns;
      last = member.rowMajor ? type.columns : type.rows;
      scalar = type.scalar;
    } else if (type.kind == TypeKind::Array) {
      const BlockType& element = blocks_.types[type.element];
      if (element.kind != TypeKind::Scalar && element.kind != TypeKind::Vector)
        return type_of(member.type, member);
      count = type.length;
      stride = type.stride;
      last = element.rows;
      scalar = element.scalar;
    } else {
      return type_of(member.type, member);
    }
    const uint64_t size = reflect::scalar_size(scalar);
    if (stride % size != 0) return bytes((count - 1) * stride + last * size);
    return number(scalar, {(count - 1) * (stride / size) + last});
  }

  CppType type_of(uint32_t index, const BlockMember& member) const {
    const BlockType& type = blocks_.types[index];
    switch (type.kind) {
      case TypeKind::Scalar:
        return number(type.scalar, {});
      case TypeKind::Vector:
        return mapped(std::format("{}x{}", type.scalar, type.rows),
                      number(type.scalar, {type.rows}));
      case TypeKind::Matrix:
        return matrix(type, member);
      case TypeKind::Array:
      case TypeKind::RuntimeArray:
        return array(strided(type_of(type.element, member), type.stride), type.length);
      case TypeKind::Address:
        return aligned(type.element == reflect::kNoType
                           ? std::string("uint64_t")
                           : std::format("heapsmith::Address<{}>", names_[type.element].name),
                       8);
      case TypeKind::Structure:
        return {.base = names_[index].name,
                .dims = {},
                .size = sizes_[index],
                .alignment = alignments_[index]};
    }
    return {};
  }

  CppType number(std::string_view scalar, std::vector<uint64_t> dims) const {
    const uint64_t size = reflect::scalar_size(scalar);
    uint64_t count = 1;
    for (const uint64_t dim : dims)
      count *= dim;
    CppType type = aligned(cpp_scalar(scalar), size);
    type.dims = std::move(dims);
    type.size = count * size;
    type.number = size;
    return type;
  }

  // A type whose alignment is its size, or what holds its bytes where it cannot have that.
  CppType aligned(std::string base, uint64_t size) const {
    if (size <= allowed_here_) return {.base = std::move(base), .size = size, .alignment = size};
    return {.base = std::format("heapsmith::Unaligned<{}>", base), .size = size};
  }

  // The application's type for it, if it has one.
  CppType mapped(const std::string& key, CppType plain) const {
    const auto found = math_types_.types.find(key);
    if (found == math_types_.types.end() || plain.alignment == 1) return plain;
    return {.base = found->second, .dims = {}, .size = plain.size, .alignment = plain.alignment};
  }

  CppType matrix(const BlockType& type, const BlockMember& member) const {
    const uint32_t vectors = member.rowMajor ? type.rows : type.columns;
    const uint32_t components = member.rowMajor ? type.columns : type.rows;
    const uint64_t size = reflect::scalar_size(type.scalar);
    if (!member.rowMajor && member.matrixStride == components * size) {
      return mapped(std::format("{}x{}x{}", type.scalar, type.columns, type.rows),
                    number(type.scalar, {vectors, components}));
    }
    return array(strided(number(type.scalar, {components}), member.matrixStride), vectors);
  }

  static CppType array(CppType element, uint64_t length) {
    element.dims.insert(element.dims.begin(), length);
    element.size *= length;
    return element;
  }

  // An element that takes `stride` bytes.
  CppType strided(CppType element, uint64_t stride) const {
    if (element.size == stride) return element;
    const bool can_hold = stride > element.size && stride % element.alignment == 0;
    if (!can_hold) return bytes(stride);
    if (element.number != 0 && element.dims.size() <= 1 && stride % element.number == 0) {
      // Numbers are padded with numbers: float[3] in 16 bytes is float[4].
      element.dims = {stride / element.number};
      element.size = stride;
      return element;
    }
    if (!element.dims.empty()) return bytes(stride);
    return {.base = std::format("heapsmith::Strided<{}, {}>", element.base, stride),
            .dims = {},
            .size = stride,
            .alignment = element.alignment};
  }

  const reflect::MergedBlocks& blocks_;
  const std::vector<StructNames>& names_;
  const plan::MathTypes& math_types_;
  std::vector<uint64_t> allowed_;           // the most that a member may be aligned to
  uint64_t allowed_here_ = kLargestNumber;  // the same, at the offset that is being written
  std::vector<uint64_t> ends_;              // bytes that a structure is padded to
  std::vector<uint64_t> sizes_;             // sizeof, by index of a structure
  std::vector<uint64_t> alignments_;        // alignof
  std::string text_;
};

}  // namespace

std::vector<StructNames> struct_names(const reflect::MergedBlocks& blocks) {
  std::vector<StructNames> names(blocks.types.size());
  CppScope scope;
  for (const uint32_t index : blocks.structures) {
    const BlockType& type = blocks.types[index];
    names[index].name = scope.declare(type.name);
    CppScope members;
    // A member cannot have its class's name.
    (void)members.declare(names[index].name);
    for (const BlockMember& member : type.members)
      names[index].members.push_back(members.declare(member.name));
  }
  return names;
}

std::string block_structs(const reflect::MergedBlocks& blocks,
                          const std::vector<StructNames>& names, const plan::MathTypes& mathTypes) {
  return Writer(blocks, names, mathTypes).run();
}

}  // namespace heapsmith::emit
