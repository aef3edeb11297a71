// SPDX-License-Identifier: MIT
#include "emit/resolved_layout.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emit/sample_content.h"
#include "heapsmith/resolve.h"

namespace heapsmith::emit {
namespace {

struct Resolved {
  ManifestStorage storage;
  ResolvedLayout layout;
};

Resolved resolve_sample() {
  DeviceLimits limits;
  limits.samplerHeapAlignment = limits.resourceHeapAlignment = 256;
  limits.samplerDescriptorSize = 16;
  limits.samplerDescriptorAlignment = 4;
  limits.imageDescriptorSize = limits.imageDescriptorAlignment = 64;
  limits.bufferDescriptorSize = limits.bufferDescriptorAlignment = 32;
  limits.maxResourceHeapSize = limits.maxSamplerHeapSize = 1u << 20;
  limits.minResourceHeapReservedRange = 100;
  limits.minSamplerHeapReservedRange = 50;
  limits.maxPushDataSize = 256;
  Resolved resolved = {.storage = make_manifest(sample::content()), .layout = {}};
  auto layout = resolve(resolved.storage.manifest, limits);
  REQUIRE(layout);
  resolved.layout = *layout;
  return resolved;
}

TEST_CASE("resolved layout as text") {
  const Resolved resolved = resolve_sample();
  const std::string text = resolved_layout_text(resolved.storage.manifest, resolved.layout, "card");
  CHECK(text == R"golden(profile card

resource heap: 1252 bytes, aligned to 256
  image      offset          0  stride   64  slots 17
  buffer     offset       1088  stride   32  slots 1
  reserved   offset       1152  size 100

sampler heap: 194 bytes, aligned to 256
  sampler    offset          0  stride   16  slots 9
  reserved   offset        144  size 50

external ranges
  ui                       image    slot        0  offset          0  slots 5

bindings
  set0 (set 0, static)
        0 camera                   buffer   slot        0  offset       1088  1 x 32
        7 shadow                   sampler  slot        0  offset          0  1 x 16
  material (set 2, indexed)
        0 albedo                   image    slot        5  offset        320  4 x 64     instances 3 every 256
        0 albedo                   sampler  slot        1  offset         16  4 x 16     instances 2 every 64

push data
     0 +16   push constants of knot
    16 +4    material (tableIndex)
    20 +4    materialSampler (samplerIndex)

program knot
  set 0 binding 0: HEAP_WITH_CONSTANT_OFFSET UNIFORM_BUFFER
    heapOffset 1088, heapArrayStride 32
  set 0 binding 7: HEAP_WITH_CONSTANT_OFFSET SAMPLER
    heapOffset 0, heapArrayStride 16
  set 2 binding 0: HEAP_WITH_PUSH_INDEX COMBINED_SAMPLED_IMAGE
    heapOffset 320, heapArrayStride 64, heapIndexStride 256, pushOffset 16
    samplerHeapOffset 16, samplerHeapArrayStride 16, samplerHeapIndexStride 64, samplerPushOffset 20
)golden");
}

TEST_CASE("resolved layout as JSON") {
  const Resolved resolved = resolve_sample();
  CHECK(resolved_layout_json(resolved.storage.manifest, resolved.layout, "card") ==
        R"golden({
  "$schema": "urn:heapsmith:schema:resolved:1",
  "profile": "card",
  "resourceHeap": {
    "size": 1252,
    "alignment": 256,
    "reservedRangeOffset": 1152,
    "reservedRangeSize": 100
  },
  "samplerHeap": {
    "size": 194,
    "alignment": 256,
    "reservedRangeOffset": 144,
    "reservedRangeSize": 50
  },
  "regions": [
    {
      "class": "image",
      "offset": 0,
      "stride": 64,
      "slots": 17
    },
    {
      "class": "buffer",
      "offset": 1088,
      "stride": 32,
      "slots": 1
    },
    {
      "class": "sampler",
      "offset": 0,
      "stride": 16,
      "slots": 9
    }
  ],
  "externalRanges": [
    {
      "name": "ui",
      "class": "image",
      "offset": 0,
      "slots": 5
    }
  ],
  "bindings": [
    {
      "table": "set0",
      "set": 0,
      "binding": 0,
      "name": "camera",
      "class": "buffer",
      "slot": 0,
      "offset": 1088,
      "count": 1,
      "stride": 32,
      "instances": 1
    },
    {
      "table": "set0",
      "set": 0,
      "binding": 7,
      "name": "shadow",
      "class": "sampler",
      "slot": 0,
      "offset": 0,
      "count": 1,
      "stride": 16,
      "instances": 1
    },
    {
      "table": "material",
      "set": 2,
      "binding": 0,
      "name": "albedo",
      "class": "image",
      "slot": 5,
      "offset": 320,
      "count": 4,
      "stride": 64,
      "instances": 3,
      "instanceStride": 256
    },
    {
      "table": "material",
      "set": 2,
      "binding": 0,
      "name": "albedo",
      "class": "sampler",
      "slot": 1,
      "offset": 16,
      "count": 4,
      "stride": 16,
      "instances": 2,
      "instanceStride": 64
    }
  ],
  "pushData": [
    {
      "name": "material",
      "kind": "tableIndex",
      "offset": 16,
      "size": 4
    },
    {
      "name": "materialSampler",
      "kind": "samplerIndex",
      "offset": 20,
      "size": 4
    }
  ],
  "shaderRecord": [],
  "indirectBlocks": [],
  "programs": [
    {
      "name": "knot",
      "mappings": [
        {
          "set": 0,
          "binding": 0,
          "resourceMask": [
            "UNIFORM_BUFFER"
          ],
          "source": "HEAP_WITH_CONSTANT_OFFSET",
          "heapOffset": 1088,
          "heapArrayStride": 32
        },
        {
          "set": 0,
          "binding": 7,
          "resourceMask": [
            "SAMPLER"
          ],
          "source": "HEAP_WITH_CONSTANT_OFFSET",
          "heapOffset": 0,
          "heapArrayStride": 16
        },
        {
          "set": 2,
          "binding": 0,
          "resourceMask": [
            "COMBINED_SAMPLED_IMAGE"
          ],
          "source": "HEAP_WITH_PUSH_INDEX",
          "heapOffset": 320,
          "heapArrayStride": 64,
          "heapIndexStride": 256,
          "pushOffset": 16,
          "samplerHeapOffset": 16,
          "samplerHeapArrayStride": 16,
          "samplerHeapIndexStride": 64,
          "samplerPushOffset": 20
        }
      ]
    }
  ]
}
)golden");
}

}  // namespace
}  // namespace heapsmith::emit
