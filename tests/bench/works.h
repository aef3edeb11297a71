// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bench {

struct Module {
  std::string name;
  std::vector<uint32_t> words;
};

/// Something that can be done with a module, ours or an anchor. Returns what depends on the result,
/// so that nothing is optimised away.
struct Work {
  const char* name;
  uint64_t (*run)(const Module& module);
};

/// "nothing", "copy", "walk" from instruction to instruction, "parse", "reflect" with the parse,
/// "rewrite" with both, "validate" with spirv-val in process, "rewrite+validate".
[[nodiscard]] std::span<const Work> own_works();
/// "SPIRV-Reflect", "SPIRV-Cross" (its parser alone).
[[nodiscard]] std::span<const Work> peer_works();

}  // namespace bench
