// SPDX-License-Identifier: MIT
#include "heapsmith/fields.h"

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstring>

using namespace heapsmith;

namespace {

constexpr Field kFields[] = {
    {.name = "address", .kind = FieldKind::BufferAddress, .offset = 8, .size = 8},
    {.name = "data", .kind = FieldKind::Data, .offset = 16, .size = 12},
    {.name = "index", .kind = FieldKind::TableIndex, .offset = 4, .size = 4},
    {.name = "slots", .kind = FieldKind::ResourceSlots, .offset = 28, .size = 12},
};

Manifest manifest() {
  Manifest made;
  made.fields = kFields;
  return made;
}

}  // namespace

TEST_CASE("fields: values go to their bytes, and nowhere else") {
  std::array<std::byte, 40> bytes{};
  bytes.fill(std::byte{0xEE});
  set_address(bytes, manifest(), {0}, 0x1122334455667788);
  const std::array<std::byte, 8> block = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                          std::byte{5}, std::byte{6}, std::byte{7}, std::byte{8}};
  set_bytes(bytes, manifest(), {1}, block);
  set_index(bytes, manifest(), {2}, 0xAABBCCDD);
  set_index(bytes, manifest(), {3}, 70, 0);
  set_index(bytes, manifest(), {3}, 72, 2);

  const auto word = [&](size_t offset) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  };
  uint64_t address = 0;
  std::memcpy(&address, bytes.data() + 8, sizeof address);
  CHECK(word(0) == 0xEEEEEEEE);
  CHECK(word(4) == 0xAABBCCDD);
  CHECK(address == 0x1122334455667788);
  CHECK(std::memcmp(bytes.data() + 16, block.data(), block.size()) == 0);
  CHECK(word(24) == 0xEEEEEEEE);  // the block may be set in part
  CHECK(word(28) == 70);
  CHECK(word(32) == 0xEEEEEEEE);
  CHECK(word(36) == 72);
}

TEST_CASE("fields: a packed index has 20 bits for the instance and 12 for the sampler tuple") {
  static_assert(packed_index(0, 0) == 0);
  static_assert(packed_index(5, 3) == (5u | 3u << 20));
  CHECK(packed_index(kPackedInstances - 1, 0) == 0x000FFFFF);
  CHECK(packed_index(0, kPackedSamplerInstances - 1) == 0xFFF00000);
}
