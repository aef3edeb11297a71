// SPDX-License-Identifier: MIT
#pragma once

#include "heapsmith/resolve.h"
#include "json_reader.h"

namespace heapsmith::detail {

/// What a document says twice must agree: its slots with those of assign_slots(), its strides with
/// the tables, its push data with the fields. And what programs may do: which mappings fit their
/// bindings, and that nothing overlaps. `manifest` is what read_manifest() made of `root`.
void check_manifest(Reader& reader, const Place& root, const Manifest& manifest,
                    const SlotLayout& slots);

}  // namespace heapsmith::detail
