// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "reflect/shader_interface.h"

namespace heapsmith::emit {

struct NamedInterface {
  std::string file;  ///< as it is to stand in the output
  const reflect::ShaderInterface* shader = nullptr;
};

/// What `heapsmith reflect` prints: one JSON document for all shaders, in the order given. The same
/// input gives the same bytes. Names that are no UTF-8 have their wrong bytes replaced.
[[nodiscard]] std::string reflection_json(std::span<const NamedInterface> shaders);

}  // namespace heapsmith::emit
