// SPDX-License-Identifier: MIT
#include "driver/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace heapsmith::driver {
namespace {

constexpr uint32_t kMostThreads = 256;

uint32_t thread_count(size_t count, uint32_t wanted) {
  if (wanted == 0) wanted = std::max(1u, std::thread::hardware_concurrency());
  return std::min({wanted, kMostThreads, static_cast<uint32_t>(std::max<size_t>(count, 1))});
}

}  // namespace

void in_parallel(size_t count, uint32_t threads, Diagnostics& diagnostics,
                 const std::function<void(size_t, Diagnostics&)>& work) {
  std::vector<Diagnostics> said(count);
  std::atomic<size_t> next = 0;
  const auto take = [&] {
    for (size_t i = next++; i < count; i = next++)
      work(i, said[i]);
  };
  {
    std::vector<std::jthread> others;
    try {
      for (uint32_t t = 1; t < thread_count(count, threads); ++t)
        others.emplace_back(take);
      // Without more of them there is less help, and no less work.
      // NOLINTNEXTLINE(bugprone-empty-catch)
    } catch (const std::system_error&) {
    }
    take();
  }
  for (Diagnostics& each : said)
    diagnostics.append(std::move(each));
}

}  // namespace heapsmith::driver
