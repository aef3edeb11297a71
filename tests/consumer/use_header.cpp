// SPDX-License-Identifier: MIT
// Uses every kind of name that a generated header offers, and asks the library for bytes.
#include <heapsmith/fields.h>
#include <heapsmith/resolve.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>

#include "scene.h"

namespace scene = game::scene;

static_assert(scene::manifest.tables.size() == 9);
static_assert(scene::manifest.tables[scene::tables::material.index].instances == 500);
static_assert(scene::manifest.bindings[scene::bindings::material::albedo.index].name == "albedo");
static_assert(scene::manifest.bindings[scene::bindings::set2::register_.index].name == "register");
static_assert(scene::manifest.programs[scene::programs::lit.index].shaders.count == 2);
static_assert(scene::manifest.fields[scene::push::material.index].offset == 16);
static_assert(scene::manifest.externalRanges[scene::external::ui.index].slots == 32);
static_assert(scene::manifest.indirectBlocks[scene::indirect_blocks::draw.index].size ==
              offsetof(scene::indirect_layouts::draw, scattered) + 3 * sizeof(uint32_t));
static_assert(scene::manifest.fields[scene::record::tint.index].kind == heapsmith::FieldKind::Data);
static_assert(scene::manifest.bindings[scene::bindings::set7::film.index].slotsPerElement ==
              heapsmith::kYcbcrSlots);
static_assert(scene::manifest.bindings[scene::bindings::set7::bordered.index].samplerPlacement ==
              heapsmith::SamplerPlacement::Immutable);
static_assert(scene::manifest.samplers[0].maxLod == 0.1f &&
              scene::manifest.samplers[0].mipLodBias == -0.25f);
static_assert(scene::manifest.samplers[1].convertsYcbcr &&
              scene::manifest.samplers[1].conversion.components[2] == 4);
static_assert(scene::manifest.samplers[2].customBorderColor[3] == 0x3F800000);
static_assert(scene::manifest.programs[scene::programs::bounce.index].recordBlockSize == 4);

namespace {

constexpr heapsmith::DeviceLimits kLimits = {
    .samplerHeapAlignment = 64,
    .resourceHeapAlignment = 64,
    .maxSamplerHeapSize = 1 << 20,
    .maxResourceHeapSize = 1 << 26,
    .minSamplerHeapReservedRange = 0,
    .minSamplerHeapReservedRangeWithEmbedded = 640,
    .minResourceHeapReservedRange = 0,
    .samplerDescriptorSize = 32,
    .imageDescriptorSize = 64,
    .bufferDescriptorSize = 16,
    .tensorDescriptorSize = 0,
    .samplerDescriptorAlignment = 32,
    .imageDescriptorAlignment = 64,
    .bufferDescriptorAlignment = 16,
    .tensorDescriptorAlignment = 0,
    .maxPushDataSize = 256,
    .maxDescriptorHeapEmbeddedSamplers = 2032,
    .samplerYcbcrConversionCount = 1,
};

int failures = 0;

void check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  ++failures;
}

template <typename Struct>
std::span<std::byte> bytes_of(Struct& object) {
  return std::as_writable_bytes(std::span(&object, 1));
}

/// The structs of the header and the functions of fields.h mean the same bytes.
void check_fields() {
  using namespace heapsmith;
  const auto tint = std::as_bytes(std::span("sixteen bytes!!"));
  const auto bytes = std::as_bytes(std::span("twenty-four of bytes!!!"));

  scene::push_data::probe pushed{};
  pushed.packed = packed_index(19, 4);
  pushed.weights = 0x1234567800;
  pushed.drawAddress = 0x9876543200;
  std::memcpy(pushed.pushed, bytes.data(), sizeof pushed.pushed);
  pushed.inHeap = 512;
  scene::push_data::probe same_pushed{};
  set_index(bytes_of(same_pushed), scene::manifest, scene::push::packed, packed_index(19, 4));
  set_address(bytes_of(same_pushed), scene::manifest, scene::push::weights, 0x1234567800);
  set_address(bytes_of(same_pushed), scene::manifest, scene::push::drawAddress, 0x9876543200);
  set_bytes(bytes_of(same_pushed), scene::manifest, scene::push::pushed, bytes);
  set_index(bytes_of(same_pushed), scene::manifest, scene::push::inHeap, 512);
  check(std::memcmp(&pushed, &same_pushed, sizeof pushed) == 0, "push data");

  scene::indirect_layouts::draw block{};
  block.distances = 0xABCD00;
  block.distant = 6;
  block.distantSampler = 1;
  block.scattered[2] = 77;
  scene::indirect_layouts::draw same_block{};
  set_address(bytes_of(same_block), scene::manifest, scene::indirect::distances, 0xABCD00);
  set_index(bytes_of(same_block), scene::manifest, scene::indirect::distant, 6);
  set_index(bytes_of(same_block), scene::manifest, scene::indirect::distantSampler, 1);
  set_index(bytes_of(same_block), scene::manifest, scene::indirect::scattered, 77, 2);
  check(std::memcmp(&block, &same_block, sizeof block) == 0, "indirect block");

  scene::shader_records::bounce record{};
  record.hit = 2;
  record.Weights = 0x5500;
  std::memcpy(record.tint, tint.data(), sizeof record.tint);
  scene::shader_records::bounce same_record{};
  set_index(bytes_of(same_record), scene::manifest, scene::record::hit, 2);
  set_address(bytes_of(same_record), scene::manifest, scene::record::Weights, 0x5500);
  set_bytes(bytes_of(same_record), scene::manifest, scene::record::tint, tint);
  check(std::memcmp(&record, &same_record, sizeof record) == 0, "shader record");
}

}  // namespace

int main() {
  const auto layout = heapsmith::resolve(scene::manifest, kLimits);
  if (!layout) {
    std::fprintf(stderr, "%s\n", layout.error().text.c_str());
    return 1;
  }
  const auto offset = [&](heapsmith::BindingId binding, uint32_t element, uint32_t instance) {
    return heapsmith::resource_offset(scene::manifest, *layout, binding, element, instance);
  };
  // The external range is first in the image region, then come two images for each material.
  check(offset(scene::bindings::material::albedo, 0, 0) == 32 * 64, "albedo of material 0");
  check(offset(scene::bindings::material::albedo, 0, 7) == (32 + 7 * 2) * 64,
        "albedo of material 7");
  check(offset(scene::bindings::material::normal, 0, 7) == (32 + 7 * 2 + 1) * 64,
        "normal of material 7");
  check_fields();
  // Blocks of 144 bytes, each at a multiple of 256: what Vulkan allows at most, if nobody says
  // less.
  const auto word = [&](uint32_t copy) {
    return heapsmith::heap_data_word(*layout, scene::bindings::buffers::inHeap, copy);
  };
  check(word(5) - word(0) == 5 * 256 && word(0) % 256 == 0, "sixth copy of a block in the heap");
  check(layout->samplerHeap.reservedRangeSize == 640, "range for embedded samplers");
  check(heapsmith::find_binding(scene::manifest, "material", "albedo").index ==
            scene::bindings::material::albedo.index,
        "look-up by name");
  return failures;
}
