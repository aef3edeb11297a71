// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/diagnostics.h"

namespace heapsmith::driver {

/// Calls `work` for every index below `count`, on that many threads (0: as many as the machine has)
/// of which the caller's is one. Every call has diagnostics of its own; `diagnostics` gets them in
/// the order of the indices, whatever the number of threads.
void in_parallel(size_t count, uint32_t threads, Diagnostics& diagnostics,
                 const std::function<void(size_t, Diagnostics&)>& work);

}  // namespace heapsmith::driver
