// SPDX-License-Identifier: MIT
#include "emit/field_structs.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace heapsmith::emit {
namespace {

/// A program whose mappings read all fields.
struct Sample {
  std::vector<Field> fields;
  std::vector<IndirectBlock> blocks;
  std::vector<Mapping> mappings;
  Program program{.name = "p"};

  Manifest manifest() {
    mappings.clear();
    for (uint32_t i = 0; i < fields.size(); ++i)
      mappings.push_back({.binding = 0, .field = i});
    program.mappings = {0, static_cast<uint32_t>(mappings.size())};
    return {.fields = fields,
            .indirectBlocks = blocks,
            .programs = {&program, 1},
            .mappings = mappings};
  }
};

TEST_CASE("field structs: nothing where nothing is read") {
  CHECK(field_structs({}).empty());
  Sample sample;
  sample.program.recordBlockSize = 16;  // the shaders' own, which mappings do not read
  CHECK(field_structs(sample.manifest()).empty());
}

TEST_CASE("field structs: push data, with gaps, the push constants and names that C++ reserves") {
  Sample sample;
  sample.fields = {
      {.name = "class", .kind = FieldKind::TableIndex, .offset = 4},
      {.name = "pushConstants", .kind = FieldKind::BufferAddress, .offset = 24, .size = 8},
      {.name = "data", .kind = FieldKind::Data, .offset = 32, .size = 12},
  };
  sample.program.pushConstantOffset = 8;
  sample.program.pushConstantSize = 8;
  CHECK(field_structs(sample.manifest()) == R"(namespace push_data {
/// What the shaders of "p" read of push data.
struct p {
  std::byte padding0[4];
  uint32_t class_;
  std::byte pushConstants[8];
  std::byte padding1[8];
  uint64_t pushConstants_2;
  std::byte data[12];
};
static_assert(offsetof(p, class_) == 4);
static_assert(offsetof(p, pushConstants) == 8);
static_assert(offsetof(p, pushConstants_2) == 24);
static_assert(offsetof(p, data) == 32);
}  // namespace push_data

)");
}

TEST_CASE("field structs: shader records begin with the shaders' own block") {
  Sample sample;
  sample.fields = {{.name = "i", .space = FieldSpace::ShaderRecord, .offset = 8}};
  sample.program.recordBlockSize = 5;
  CHECK(field_structs(sample.manifest()) == R"(namespace shader_records {
/// What the shaders of "p" read behind the shader group handle.
struct p {
  std::byte recordBlock[8];
  uint32_t i;
};
static_assert(offsetof(p, recordBlock) == 0);
static_assert(offsetof(p, i) == 8);
}  // namespace shader_records

)");
}

TEST_CASE("field structs: indirect blocks, and the addresses that programs push") {
  Sample sample;
  sample.fields = {
      {.name = "drawAddress", .kind = FieldKind::BlockAddress, .block = 0, .offset = 0, .size = 8},
      {.name = "slots",
       .kind = FieldKind::ResourceSlots,
       .space = FieldSpace::Indirect,
       .block = 0,
       .offset = 0,
       .size = 12},
      {.name = "one",
       .kind = FieldKind::SamplerSlots,
       .space = FieldSpace::Indirect,
       .block = 0,
       .offset = 12,
       .size = 4},
  };
  sample.blocks = {{.name = "draw", .size = 16, .addressField = 0}};
  Manifest manifest = sample.manifest();
  manifest.mappings = manifest.mappings.subspan(1, 1);  // reads "slots", and so the address
  sample.program.mappings = {0, 1};
  CHECK(field_structs(manifest) == R"(namespace push_data {
/// What the shaders of "p" read of push data.
struct p {
  uint64_t drawAddress;
};
static_assert(offsetof(p, drawAddress) == 0);
}  // namespace push_data

namespace indirect_layouts {
/// The memory behind the address "drawAddress".
struct draw {
  uint32_t slots[3];
  uint32_t one;
};
static_assert(offsetof(draw, slots) == 0);
static_assert(offsetof(draw, one) == 12);
}  // namespace indirect_layouts

)");
}

}  // namespace
}  // namespace heapsmith::emit
