// SPDX-License-Identifier: MIT
#pragma once

#include "heapsmith/manifest_storage.h"
#include "json_reader.h"

namespace heapsmith::detail {

/// Document to manifest: every field's type, every rule that needs one table, field or program
/// alone, and names to indices. What it yields is meaningless once the reader has failed. Numbers
/// that the document states but the manifest does not hold (slots) are left to check_manifest.h.
[[nodiscard]] ManifestStorage read_manifest(Reader& reader, const Place& root);

}  // namespace heapsmith::detail
