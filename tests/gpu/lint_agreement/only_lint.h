// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace lint_agreement {

/// Rules that lint finds broken where the validation layer says nothing, and why that is right.
inline const std::map<std::string, std::string> kOnlyLint = {
    {"12203", "the layer does not look for a conversion in the sampler that it embeds"},
    {"12205", "likewise; the array itself (11399) it finds"},
};

}  // namespace lint_agreement
