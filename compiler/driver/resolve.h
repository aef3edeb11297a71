// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/diagnostics.h"

namespace heapsmith::driver {

struct ResolveCommand {
  std::string manifestFile;
  std::string profile;  ///< name of a built-in profile, or a file
  bool json = false;
};

/// `heapsmith resolve`: the text that says where everything lies on one device.
[[nodiscard]] Diagnosed<std::string> resolve_manifest(const ResolveCommand& command,
                                                      Diagnostics& diagnostics);

}  // namespace heapsmith::driver
