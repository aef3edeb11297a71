// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "emit/make_manifest.h"
#include "heapsmith/resolve.h"

namespace heapsmith::emit {

/// manifest.json (schemas/manifest.schema.json): pretty-printed, LF, a newline at the end.
/// `manifest` is make_manifest(content), `slots` its assign_slots().
[[nodiscard]] std::string manifest_json(const ManifestContent& content, const Manifest& manifest,
                                        const SlotLayout& slots);

}  // namespace heapsmith::emit
