// SPDX-License-Identifier: MIT
#include "emit/depfile.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace heapsmith::emit {
namespace {

TEST_CASE("depfile: targets, then inputs, one a line") {
  CHECK(depfile(std::vector<std::string>{"out/a.spv", "out/m.json"},
                std::vector<std::string>{"a.vert", "lib/x.glsl"}) ==
        "out/a.spv \\\n  out/m.json: \\\n  a.vert \\\n  lib/x.glsl\n");
  CHECK(depfile(std::vector<std::string>{"t"}, {}) == "t:\n");
}

TEST_CASE("depfile: escaping, as gcc does it") {
  struct Case {
    std::string path;
    std::string expected;
  };
  const Case cases[] = {
      {"a b", R"(a\ b)"},        {"a#b", R"(a\#b)"},         {"a$b", "a$$b"},
      {"a\tb", "a\\\tb"},        {R"(a\b)", R"(a\b)"},       {R"(a\ b)", R"(a\\\ b)"},
      {R"(a\\#)", R"(a\\\\\#)"}, {"C:/a.vert", "C:/a.vert"}, {"é%", "é%"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    CHECK(depfile(std::vector<std::string>{"t"}, std::vector<std::string>{c.path}) ==
          "t: \\\n  " + c.expected + "\n");
  }
}

}  // namespace
}  // namespace heapsmith::emit
