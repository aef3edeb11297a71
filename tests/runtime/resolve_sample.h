// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "heapsmith/resolve.h"

/// What the tests of resolve() share.
namespace sample {

using namespace heapsmith;

inline ResolvedLayout resolved(const Manifest& manifest, const DeviceLimits& limits,
                               const ResolveOptions& options = {}) {
  Result<ResolvedLayout> layout = resolve(manifest, limits, options);
  if (!layout) FAIL(layout.error().text);
  return std::move(*layout);
}

inline Error refused(const Manifest& manifest, const DeviceLimits& limits,
                     const ResolveOptions& options = {}) {
  Result<ResolvedLayout> layout = resolve(manifest, limits, options);
  REQUIRE(!layout);
  CHECK(!layout.error().text.empty());
  return std::move(layout.error());
}

/// One binding in one table, to be made large.
struct OneBinding {
  Table table{.name = "big",
              .set = 0,
              .residence = Residence::Indexed,
              .instances = 1,
              .samplerInstances = 1,
              .bindings = {0, 1},
              .indexField = 0,
              .samplerIndexField = kNone};
  Binding binding{.name = "array",
                  .type = DescriptorType::SampledImage,
                  .arrayKind = ArrayKind::Runtime,
                  .stages = 0x10,
                  .residence = Residence::Indexed};
  Field field{.name = "big", .kind = FieldKind::TableIndex, .table = 0};
  Mapping mapping{0, 0, 0x02, MappingSource::HeapWithPushIndex, MappingPart::Resource, 0, kNone};

  [[nodiscard]] Manifest manifest() const {
    Manifest m;
    m.tables = {&table, 1};
    m.bindings = {&binding, 1};
    m.fields = {&field, 1};
    m.mappings = {&mapping, 1};
    return m;
  }
};

}  // namespace sample
