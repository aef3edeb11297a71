// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "base/diagnostics.h"

namespace heapsmith::emit {

struct OutputFile {
  std::string path;
  std::string bytes;
};

/// Writes all files, or none. Each is written beside its destination first, then all are renamed. A
/// file that already has these bytes is left alone, with its time stamp. A destination that is a
/// device (/dev/null) is written to directly, before any rename. Fails with CannotWrite, and then
/// every destination is as it was and no temporary file is left. `folder`, if not empty, is made if
/// its parent exists.
[[nodiscard]] Diagnosed<void> write_files(std::span<const OutputFile> files,
                                          const std::string& folder, Diagnostics& diagnostics);

}  // namespace heapsmith::emit
