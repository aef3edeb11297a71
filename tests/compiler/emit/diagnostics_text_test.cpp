// SPDX-License-Identifier: MIT
#include "emit/diagnostics_text.h"

#include <catch2/catch_test_macros.hpp>

namespace heapsmith::emit {
namespace {

Diagnostic diagnostic(Place place, std::string text = "it is wrong") {
  return {Severity::Error, Code::BindingConflict, std::move(place), std::move(text)};
}

TEST_CASE("diagnostics as text: places, as far as they are known") {
  struct Case {
    Place place;
    const char* expected;
  };
  const Case cases[] = {
      {{}, "heapsmith: error: it is wrong [HS2004]\n"},
      {{.file = "a.vert"}, "a.vert: error: it is wrong [HS2004]\n"},
      {{.file = "a.vert", .line = 3}, "a.vert:3: error: it is wrong [HS2004]\n"},
      {{.file = "a.vert", .line = 3, .column = 7}, "a.vert:3:7: error: it is wrong [HS2004]\n"},
      {{.file = "a.spv", .byte = 20}, "a.spv: error: byte 20: it is wrong [HS2004]\n"},
      {{.file = "a.vert", .resource = "x", .set = 1, .binding = 2},
       "a.vert: error: [Set 1, Binding 2, variable \"x\"] it is wrong [HS2004]\n"},
      {{.file = "a.vert", .set = 1, .binding = 2},
       "a.vert: error: [Set 1, Binding 2] it is wrong [HS2004]\n"},
  };
  for (const Case& c : cases)
    CHECK(diagnostic_text(diagnostic(c.place)) == c.expected);
}

TEST_CASE("diagnostics as text: severities") {
  Diagnostic one = diagnostic({.file = "a"});
  one.severity = Severity::Warning;
  CHECK(diagnostic_text(one) == "a: warning: it is wrong [HS2004]\n");
  one.severity = Severity::Note;
  CHECK(diagnostic_text(one) == "a: note: it is wrong [HS2004]\n");
}

// Names come from shaders. They may not forge a line, nor speak to the terminal.
TEST_CASE("diagnostics as text: one line, without control characters") {
  CHECK(diagnostic_text(diagnostic({.file = "a\x1b[2J"}, "'x\ny.vert:1: error: z\x7f' is wrong")) ==
        "a\\x1b[2J: error: 'x\\x0ay.vert:1: error: z\\x7f' is wrong [HS2004]\n");
  CHECK(diagnostic_text(diagnostic({.file = "é"}, "名前 \xff")) ==
        "é: error: 名前 \xff [HS2004]\n");
}

TEST_CASE("diagnostics as JSON: what is known, on one line") {
  CHECK(
      diagnostic_json(diagnostic({.file = "a",
                                  .line = 1,
                                  .column = 2,
                                  .byte = 3,
                                  .entryPoint = "main",
                                  .resource = "x\n",
                                  .set = 0,
                                  .binding = 4})) ==
      R"({"severity":"error","code":"HS2004","text":"it is wrong","file":"a","line":1,"column":2,)"
      R"("byte":3,"entryPoint":"main","resource":"x\n","set":0,"binding":4})"
      "\n");
  CHECK(diagnostic_json(diagnostic({})) ==
        "{\"severity\":\"error\",\"code\":\"HS2004\",\"text\":\"it is wrong\"}\n");
  CHECK(diagnostic_json(diagnostic({}, "\xff")).contains("\"text\":\"\xef\xbf\xbd\""));
}

}  // namespace
}  // namespace heapsmith::emit
