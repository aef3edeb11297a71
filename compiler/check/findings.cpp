// SPDX-License-Identifier: MIT
#include "check/findings.h"

#include <algorithm>
#include <format>
#include <optional>
#include <utility>

namespace heapsmith::check {
namespace {

// Devices beyond these are only counted.
constexpr size_t kMostNamed = 4;

std::string device_list(const std::vector<std::string>& devices) {
  std::string text;
  for (size_t i = 0; i < std::min(devices.size(), kMostNamed); ++i)
    text += std::format("{}{}", i == 0 ? "" : ", ", devices[i]);
  if (devices.size() > kMostNamed) text += std::format(" and {} more", devices.size() - kMostNamed);
  return text;
}

}  // namespace

void Findings::add(Severity severity, Code code, Place place, std::string text,
                   std::string_view device) {
  const auto number = [](const std::optional<uint32_t>& value) {
    return value ? std::to_string(*value) : std::string();
  };
  const std::string key = std::format(
      "{}|{}|{}|{}|{}|{}|{}|{}|{}", static_cast<int>(severity), code_text(code), place.file,
      place.line, place.entryPoint, place.resource, number(place.set), number(place.binding), text);
  const auto [known, is_new] = known_.emplace(key, findings_.size());
  if (is_new) findings_.push_back({severity, code, std::move(place), std::move(text), {}});
  std::vector<std::string>& devices = findings_[known->second].devices;
  if (devices.empty() || devices.back() != device) devices.emplace_back(device);
}

void Findings::report(size_t deviceCount, Diagnostics& diagnostics) const {
  for (const Finding& finding : findings_) {
    std::string text = finding.text;
    if (finding.devices.size() != deviceCount)
      text += std::format(" [{}]", device_list(finding.devices));
    switch (finding.severity) {
      case Severity::Error:
        diagnostics.error(finding.code, finding.place, std::move(text));
        break;
      case Severity::Warning:
        diagnostics.warning(finding.code, finding.place, std::move(text));
        break;
      case Severity::Note:
        diagnostics.note(finding.code, finding.place, std::move(text));
        break;
    }
  }
}

}  // namespace heapsmith::check
