// SPDX-License-Identifier: MIT
#pragma once

#include "heapsmith/manifest.h"
#include "json_reader.h"

namespace heapsmith::detail {

/// One sampler of a manifest, without its name.
[[nodiscard]] SamplerInfo read_sampler(Reader& reader, const Place& place);

}  // namespace heapsmith::detail
