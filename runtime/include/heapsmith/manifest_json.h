// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "heapsmith/error.h"
#include "heapsmith/manifest_storage.h"

namespace heapsmith {

/// Reads manifest.json (schemas/manifest.schema.json). Every index, name and slot is checked, so
/// that a manifest that loads is safe to use. Fails with InvalidManifest, whose text names the
/// place as a JSON pointer, or UnsupportedVersion. Target heapsmith::manifest_json; it throws
/// nothing. Any thread.
[[nodiscard]] Result<ManifestStorage> load_manifest_json(std::string_view text);

}  // namespace heapsmith
