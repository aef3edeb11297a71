// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace heapsmith::check {

/// What lint found. The same thing on several devices is one finding, with their names.
class Findings {
 public:
  void add(Severity severity, Code code, Place place, std::string text, std::string_view device);

  /// In the order found. Devices are named where not all of `deviceCount` have it.
  void report(size_t deviceCount, Diagnostics& diagnostics) const;

 private:
  struct Finding {
    Severity severity{};
    Code code{};
    Place place;
    std::string text;
    std::vector<std::string> devices;
  };
  std::vector<Finding> findings_;
  std::map<std::string, size_t> known_;
};

}  // namespace heapsmith::check
