// SPDX-License-Identifier: MIT
#pragma once

#include "rewrite/block_words.h"
#include "rewrite/buffer_blocks.h"
#include "rewrite/context.h"
#include "rewrite/heaps.h"
#include "rewrite/objects.h"
#include "rewrite/read_only_blocks.h"

namespace heapsmith::rewrite {

/// Makes every instruction that uses a rewritten variable read the heaps. Refuses a resource once,
/// at the first use that is beyond it.
[[nodiscard]] Diagnosed<void> replace_uses(const Context& context, const Objects& objects,
                                           Heaps& heaps, const Words& words,
                                           const BufferBlocks& blocks,
                                           const ReadOnlyBlocks& readOnly);

}  // namespace heapsmith::rewrite
