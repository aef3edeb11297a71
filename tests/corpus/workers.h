// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace corpus {

/// Tells the parent process a line of text.
using Speaker = std::function<void(std::string_view line)>;

/// Work that may crash, hang or eat memory, because it feeds a driver.
struct Jobs {
  size_t count = 0;
  // In a process of its own, which goes on to the next job after one:
  std::function<bool()> begin;  ///< before the first; false: no job can be done at all
  std::function<void(size_t job, const Speaker& say)> run;
  // In the parent, as it happens:
  std::function<void(size_t job, std::string_view line)> hear;
  std::function<void(size_t job, const std::string& how)> died;  ///< "SIGSEGV", "exit 1"
};

/// For one job.
struct JobLimits {
  unsigned processorSeconds = 180;
  unsigned waitSeconds = 900;  ///< of any kind: it may wait for itself
};

/// Does all jobs, in as many processes. A process that ends on the way costs the job that it was
/// at, and is replaced. False where a process cannot even begin.
[[nodiscard]] bool do_jobs(const Jobs& jobs, size_t processes, const JobLimits& limits = {});

}  // namespace corpus
