// SPDX-License-Identifier: MIT
#include "emit/cpp_names.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>

namespace heapsmith::emit {
namespace {

struct Case {
  std::string_view name;
  std::string_view expected;
};

TEST_CASE("identifiers: nothing reserved, nothing that is no identifier") {
  const Case cases[] = {
      {"albedo", "albedo"},
      {"$Globals", "Globals"},
      {"", "unnamed"},
      {"_", "unnamed"},
      {"...", "unnamed"},
      {"名前", "unnamed"},
      {"_Upper", "Upper"},
      {"__x", "x"},
      {"a__b", "a_b"},
      {"a.b[3]", "a_b_3_"},
      {"a_", "a_"},
      {"3d", "n3d"},
      {"_3", "n3"},
      {"class", "class_"},
      {"_class", "class_"},
      {"co_await", "co_await_"},
      {"Class", "Class"},
      {"and_eq", "and_eq_"},
      {"std", "std_"},
      {"heapsmith", "heapsmith_"},
      {"assert", "assert_"},
      {"NULL", "NULL_"},
      {"near", "near_"},
      {"errno", "errno_"},
      {"a\nb", "a_b"},
      {"é", "unnamed"},
      {"caf\xc3\xa9 noir", "caf_noir"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(cpp_identifier(c.name) == c.expected);
    CHECK(cpp_identifier(c.expected) == c.expected);
  }
}

TEST_CASE("scope: each identifier once, and never two underscores in a row") {
  CppScope scope;
  CHECK(scope.declare("a") == "a");
  CHECK(scope.declare("a_2") == "a_2");
  CHECK(scope.declare("a") == "a_3");
  CHECK(scope.declare("$a") == "a_4");
  CHECK(scope.declare("class") == "class_");
  CHECK(scope.declare("class_") == "class_2");
  CHECK(scope.declare("") == "unnamed");
  CHECK(scope.declare("名前") == "unnamed_2");
}

TEST_CASE("scope: ten thousand equal names take no time") {
  CppScope scope;
  const auto start = std::chrono::steady_clock::now();
  std::string last;
  for (int i = 0; i < 10000; ++i)
    last = scope.declare("名前");
  CHECK(last == "unnamed_10000");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("string literals: quotes, backslashes, control characters, trigraphs, UTF-8") {
  const Case cases[] = {
      {"", R"("")"},
      {"plain text", R"("plain text")"},
      {"a\"b\\c", R"("a\"b\\c")"},
      {"line\nend\t", R"("line\012end\011")"},
      {"?"
       "?/",
       R"("\077\077/")"},
      {"\x01"
       "1",
       R"("\0011")"},
      {"é", R"("\303\251")"},
      {"\xff\x7f", R"("\377\177")"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(cpp_string(c.name) == c.expected);
  }
}

TEST_CASE("namespaces: identifiers between double colons") {
  for (const char* good : {"a", "a::b", "shaders", "A1::b_c::d"}) {
    CAPTURE(good);
    CHECK(is_cpp_namespace(good));
  }
  for (const char* bad : {"", "::", "a::", "::a", "a:b", "a::::b", "a b", "1a", "class", "a::class",
                          "_x", "a__b", "std", "heapsmith", "a;", "a::b{"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_cpp_namespace(bad));
  }
}

}  // namespace
}  // namespace heapsmith::emit
