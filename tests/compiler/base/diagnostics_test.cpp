// SPDX-License-Identifier: MIT
#include "base/diagnostics.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

namespace heapsmith {
namespace {

TEST_CASE("diagnostics: only errors make a run fail") {
  Diagnostics diagnostics;
  diagnostics.warning(Code::PolicyUnused, {}, "one");
  diagnostics.note(Code::PolicyUnused, {}, "two");
  CHECK_FALSE(diagnostics.has_errors());
  diagnostics.error(Code::InvalidPolicy, {.file = "a"}, "three");
  CHECK(diagnostics.has_errors());
  REQUIRE(diagnostics.all().size() == 3);
  CHECK(diagnostics.all()[2].severity == Severity::Error);
  CHECK(diagnostics.all()[2].place.file == "a");
}

TEST_CASE("diagnostics: append keeps the order and takes errors along") {
  Diagnostics first;
  first.note(Code::PolicyUnused, {}, "one");
  Diagnostics second;
  second.error(Code::InvalidPolicy, {}, "two");
  first.append(std::move(second));
  CHECK(first.has_errors());
  REQUIRE(first.all().size() == 2);
  CHECK(first.all()[1].text == "two");
}

TEST_CASE("diagnostic codes: four digits, none twice, all in the documented groups") {
  std::set<uint32_t> numbers;
  const auto check = [&](Code code) {
    const auto number = static_cast<uint32_t>(code);
    CAPTURE(number);
    CHECK(numbers.insert(number).second);
    CHECK((number > 1000 && number < 7000));
    CHECK(code_text(code) == "HS" + std::to_string(number));
  };
#define HEAPSMITH_DIAGNOSTIC(name, number, summary) check(Code::name);
#include "base/diagnostic_codes.def"
#undef HEAPSMITH_DIAGNOSTIC
}

}  // namespace
}  // namespace heapsmith
