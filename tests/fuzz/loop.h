// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace fuzz {

/// Ends the process if something is wrong: the module at fault stays behind in fuzz-failure.spv.
void check(bool right, const char* what);

struct Loop {
  size_t modules = 0;
  size_t seeds = 0;
  double slowest = 0;  ///< seconds of processor time that one module took
};

/// `run` on damaged modules for as long as the command line says: FOLDER of seeds, SECONDS, [SEED].
/// Checks that none takes too long. `afterwards` prints what was found; returns the exit status.
int run_loop(int argc, char** argv, const std::function<void(const std::vector<uint32_t>&)>& run,
             const std::function<void(const Loop&)>& afterwards);

}  // namespace fuzz
