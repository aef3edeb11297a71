// SPDX-License-Identifier: MIT
// Uses every kind of name that a generated header offers, and asks the library for bytes.
#include <heapsmith/resolve.h>

#include <cstdio>
#include <string_view>

#include "scene.h"

namespace scene = game::scene;

static_assert(scene::manifest.tables.size() == 3);
static_assert(scene::manifest.tables[scene::tables::material.index].instances == 500);
static_assert(scene::manifest.bindings[scene::bindings::material::albedo.index].name == "albedo");
static_assert(scene::manifest.bindings[scene::bindings::set2::register_.index].name == "register");
static_assert(scene::manifest.programs[scene::programs::lit.index].shaders.count == 2);
static_assert(scene::manifest.pushFields[scene::push::material.index].offset == 16);
static_assert(scene::manifest.externalRanges[scene::external::ui.index].slots == 32);

namespace {

constexpr heapsmith::DeviceLimits kLimits = {
    .samplerHeapAlignment = 64,
    .resourceHeapAlignment = 64,
    .maxSamplerHeapSize = 1 << 20,
    .maxResourceHeapSize = 1 << 26,
    .minSamplerHeapReservedRange = 0,
    .minSamplerHeapReservedRangeWithEmbedded = 0,
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
  check(heapsmith::find_binding(scene::manifest, "material", "albedo").index ==
            scene::bindings::material::albedo.index,
        "look-up by name");
  return failures;
}
