// SPDX-License-Identifier: MIT
#pragma once

#include "heapsmith/resolve.h"
#include "json_reader.h"

namespace heapsmith::detail {

/// What read_manifest() takes as it stands of the numbers that rewritten shaders are told: each is
/// a number that there is, its default is the manifest's own, and a SpecId means one thing.
void check_slot_constants(Reader& reader, const Place& root, const Manifest& manifest,
                          const SlotLayout& slots);

}  // namespace heapsmith::detail
