// SPDX-License-Identifier: MIT
#include "lint_side.h"

#include <regex>

#include "check/findings.h"
#include "check/lint_program.h"

namespace lint_agreement {

LintVerdict lint(std::span<const heapsmith::driver::LoadedShader> shaders,
                 std::span<const heapsmith::mapping::VulkanMapping> mappings,
                 const heapsmith::DeviceLimits& limits) {
  const heapsmith::check::LintedDevice device = {"this device", limits};
  std::vector<heapsmith::check::LintedShader> linted;
  for (const heapsmith::driver::LoadedShader& shader : shaders)
    linted.push_back({&shader.interface, 0, shader.path});
  heapsmith::check::Findings findings;
  heapsmith::check::lint_program(linted, mappings, device, "mappings.json", findings);
  heapsmith::Diagnostics diagnostics;
  findings.report(1, diagnostics);

  LintVerdict verdict;
  static const std::regex kList(R"(\((1\d{4}(, 1\d{4})*)\))");  // "(11387, 11388)"
  static const std::regex kNumber(R"(\d+)");
  for (const heapsmith::Diagnostic& diagnostic : diagnostics.all()) {
    verdict.texts.push_back(diagnostic.place.resource + ": " + diagnostic.text);
    std::smatch list;
    if (!std::regex_search(diagnostic.text, list, kList)) continue;
    const std::string numbers = list[1];
    const bool isError = diagnostic.severity == heapsmith::Severity::Error;
    for (std::sregex_iterator i(numbers.begin(), numbers.end(), kNumber), end; i != end; ++i) {
      verdict.findings.insert(i->str());
      if (isError) verdict.errors.insert(i->str());
    }
  }
  return verdict;
}

}  // namespace lint_agreement
