// SPDX-License-Identifier: MIT
#include "check/findings.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace heapsmith::check {
namespace {

std::vector<std::string> texts(const Findings& findings, size_t device_count) {
  Diagnostics diagnostics;
  findings.report(device_count, diagnostics);
  std::vector<std::string> all;
  for (const Diagnostic& diagnostic : diagnostics.all())
    all.push_back(diagnostic.text);
  return all;
}

void add(Findings& findings, const std::string& text, std::string_view device, Place place = {}) {
  findings.add(Severity::Error, Code::MappingRange, std::move(place), text, device);
}

TEST_CASE("findings: what every device has is said once, without names") {
  Findings findings;
  add(findings, "too long", "a");
  add(findings, "too long", "b");
  CHECK(texts(findings, 2) == std::vector<std::string>{"too long"});
}

TEST_CASE("findings: what some devices have names them") {
  Findings findings;
  add(findings, "too long", "a");
  add(findings, "too long", "c");
  add(findings, "odd", "b");
  CHECK(texts(findings, 3) == std::vector<std::string>{"too long [a, c]", "odd [b]"});
}

TEST_CASE("findings: many devices are counted") {
  Findings findings;
  for (const char* const device : {"a", "b", "c", "d", "e", "f"})
    add(findings, "too long", device);
  CHECK(texts(findings, 7) == std::vector<std::string>{"too long [a, b, c, d and 2 more]"});
}

TEST_CASE("findings: one device that has it twice is one device") {
  Findings findings;
  add(findings, "too long", "a");
  add(findings, "too long", "a");
  CHECK(texts(findings, 1) == std::vector<std::string>{"too long"});
  CHECK(texts(findings, 2) == std::vector<std::string>{"too long [a]"});
}

TEST_CASE("findings: another place is another finding") {
  Findings findings;
  const std::vector<Place> places = {
      {},
      {.file = "x"},
      {.file = "x", .line = 2},
      {.file = "x", .entryPoint = "main"},
      {.file = "x", .resource = "r"},
      {.file = "x", .set = 0},
      {.file = "x", .set = 1},
      {.file = "x", .set = 0, .binding = 0},
      {.file = "x", .set = 0, .binding = 1},
  };
  for (const Place& place : places)
    add(findings, "odd", "a", place);
  CHECK(texts(findings, 1).size() == places.size());
}

TEST_CASE("findings: severities and codes arrive") {
  Findings findings;
  findings.add(Severity::Warning, Code::MappingStride, {.file = "x"}, "a", "d");
  findings.add(Severity::Note, Code::MappingIgnored, {.file = "y"}, "b", "d");
  Diagnostics diagnostics;
  findings.report(1, diagnostics);
  REQUIRE(diagnostics.all().size() == 2);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(diagnostics.all()[0].severity == Severity::Warning);
  CHECK(diagnostics.all()[0].code == Code::MappingStride);
  CHECK(diagnostics.all()[0].place.file == "x");
  CHECK(diagnostics.all()[1].severity == Severity::Note);
  CHECK(diagnostics.all()[1].code == Code::MappingIgnored);
}

}  // namespace
}  // namespace heapsmith::check
