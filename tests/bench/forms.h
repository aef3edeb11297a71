// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "executables.h"
#include "pipelines_gpu.h"
#include "pipelines_units.h"

namespace bench {

/// The same shaders, made ready in these ways.
enum class Form : uint8_t {
  Sets,       ///< as they are, for descriptor sets
  ByHand,     ///< as they are, with mappings at constant offsets that were computed by hand
  Mapped,     ///< `heapsmith map`
  Rewritten,  ///< `heapsmith rewrite`
  PushIndex,  ///< `heapsmith map`, every set indexed
  PushWord,   ///< `heapsmith rewrite`, every set indexed
};
inline constexpr size_t kFormCount = 6;

[[nodiscard]] const char* form_name(Form form);

struct CompiledUnit {
  std::string name;
  /// Nothing where heapsmith refuses the unit in that form.
  std::array<std::optional<std::vector<Executable>>, kFormCount> forms;
  uint32_t limitedStages = 0;         ///< see Bindings
  std::string leftOut;                ///< why nothing was compiled; empty if it was
  std::vector<std::string> failures;  ///< what the driver or the validation layer says

  [[nodiscard]] const auto& of(Form form) const { return forms[static_cast<size_t>(form)]; }
};

/// Compiles a unit in all forms. `folder` is for heapsmith's files. What the layer says of a unit
/// with descriptor sets is the module's own affair, and leaves the unit out.
[[nodiscard]] CompiledUnit compile_unit(corpus::Gpu& gpu, const corpus::Unit& unit,
                                        const std::filesystem::path& folder);

}  // namespace bench
