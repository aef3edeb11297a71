// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heapsmith::input {

/// "; did you mean 'instances'?", or nothing where no candidate is near: the end of a message about
/// a name that is not known. At most three names, the nearest first.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string_view> candidates);

}  // namespace heapsmith::input
