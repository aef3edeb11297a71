// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "heapsmith/manifest.h"
#include "heapsmith/resolve.h"

namespace heapsmith::emit {

/// Where a binding's descriptors or bytes are and what picks them, in words: "slot 3 of the image
/// region, 5 more for each instance that push data at byte 16 picks".
[[nodiscard]] std::string place_text(const Manifest& manifest, const SlotLayout& slots,
                                     BindingId binding);

/// What a rewritten shader is told with a specialization constant: "the slot of 'albedo'".
[[nodiscard]] std::string slot_constant_text(const Manifest& manifest, const SlotLayout& slots,
                                             const SlotConstant& constant);

/// Where a field lies: "push data at byte 16 ('objectIndex')".
[[nodiscard]] std::string field_place_text(const Manifest& manifest, const Field& field);

}  // namespace heapsmith::emit
