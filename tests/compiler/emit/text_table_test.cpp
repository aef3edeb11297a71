// SPDX-License-Identifier: MIT
#include "emit/text_table.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace heapsmith::emit {

TEST_CASE("text tables align columns and leave no blanks behind", "[emit]") {
  TextTable table;
  table.add({"a", "", "long", "x"});
  table.add({"\xC3\xA4\xC3\xB6", "", "s", ""});
  table.add({"abc"});
  std::string text = "before\n";
  table.print(2, text);
  CHECK(text == "before\n  a    long  x\n  \xC3\xA4\xC3\xB6   s\n  abc\n");
}

TEST_CASE("names stay on their line", "[emit]") {
  CHECK(printable("a\nb\t\x7F") == "a\\x0Ab\\x09\\x7F");
  CHECK(printable("\xC3\xA4 b") == "\xC3\xA4 b");
  CHECK(join({}, ", ").empty());
  CHECK(join({"a", "", "b"}, "-") == "a--b");
}

}  // namespace heapsmith::emit
