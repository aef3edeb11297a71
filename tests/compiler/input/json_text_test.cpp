// SPDX-License-Identifier: MIT
#include "input/json_text.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace heapsmith::input {
namespace {

JsonValue parse(std::string_view text) {
  Diagnostics diagnostics;
  Diagnosed<JsonValue> value = parse_json(text, "test.json", diagnostics);
  REQUIRE(value);
  CHECK(diagnostics.all().empty());
  return *std::move(value);
}

/// "line:column: text" of the one error.
std::string refusal(std::string_view text) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_json(text, "test.json", diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  const Diagnostic& error = diagnostics.all().front();
  CHECK(error.code == Code::MalformedJson);
  CHECK(error.place.file == "test.json");
  return std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + ": " +
         error.text;
}

void check_place(const JsonValue& value, uint32_t line, uint32_t column, std::string_view pointer) {
  CHECK(value.at.line == line);
  CHECK(value.at.column == column);
  CHECK(value.pointer == pointer);
}

TEST_CASE("json: every value knows where it stands") {
  const JsonValue root = parse(
      "{\n"
      "  \"a\": [1, true,\n"
      "    null, \"x\"],\n"
      "  \"b\" : {\"c/d~e\": {}}\n"
      "}\n");
  check_place(root, 1, 1, "");
  REQUIRE(root.children.size() == 2);
  const JsonValue& a = root.children[0];
  CHECK(a.key == "a");
  CHECK(a.keyAt.line == 2);
  CHECK(a.keyAt.column == 3);
  check_place(a, 2, 8, "/a");
  REQUIRE(a.children.size() == 4);
  check_place(a.children[0], 2, 9, "/a/0");
  check_place(a.children[1], 2, 12, "/a/1");
  check_place(a.children[2], 3, 5, "/a/2");
  check_place(a.children[3], 3, 11, "/a/3");
  const JsonValue& b = root.children[1];
  check_place(b, 4, 9, "/b");
  check_place(b.children[0], 4, 19, "/b/c~1d~0e");
}

TEST_CASE("json: numbers are exact, and other than natural ones are told apart") {
  const JsonValue root = parse("[0, 18446744073709551615, 18446744073709551616, -1, 1.0, 1e3]");
  CHECK(root.children[0].number == 0);
  CHECK(root.children[1].number == UINT64_MAX);
  CHECK(root.children[1].kind == JsonValue::Kind::Unsigned);
  for (size_t i = 2; i < 6; ++i)
    CHECK(root.children[i].kind == JsonValue::Kind::OtherNumber);
}

TEST_CASE("json: places behind numbers, which the parser reads one character beyond") {
  const JsonValue root = parse("{\"a\":1,\"b\":[2\n,3],\"c\":4}");
  check_place(root.children[1], 1, 12, "/b");
  check_place(root.children[1].children[1], 2, 2, "/b/1");
  check_place(root.children[2], 2, 9, "/c");
}

TEST_CASE("json: a byte order mark is no part of the text") {
  check_place(parse("\xEF\xBB\xBF[1]").children[0], 1, 2, "/0");
  CHECK(refusal("\xEF\xBB\xBF[1") ==
        "1:3: syntax error while parsing array - unexpected end of input; expected ']'");
}

TEST_CASE("json: control characters in keys do not break a message") {
  CHECK(parse(R"({"a\nb": 1})").children[0].pointer == "/a\\u000ab");
}

TEST_CASE("json: what is not JSON is refused where it goes wrong") {
  CHECK(refusal("") == "1:1: the text is empty");
  CHECK(
      refusal("{\"a\": 1,\n \"b\" 2}") ==
      "2:6: syntax error while parsing object separator - unexpected number literal; expected ':'");
  CHECK(refusal("[1,\n2,\n]") ==
        "3:1: syntax error while parsing value - unexpected ']'; expected '[', '{', or a literal");
  CHECK(refusal("[tru]") == "1:2: syntax error while parsing value - invalid literal");
  CHECK(refusal("{} x").starts_with("1:4: "));
  CHECK(refusal("[\"\xFF\"]") ==
        "1:2: syntax error while parsing value - invalid string: ill-formed UTF-8 byte");
  CHECK(refusal("[1e999]").starts_with("1:2: "));
}

TEST_CASE("json: a key that is there twice is refused at its second place") {
  CHECK(refusal("{\"a\": 1,\n \"b\": 2, \"a\": 3, \"b\": 4}") ==
        "2:10: /a: this key is there twice");
  CHECK(refusal("[{\"x\": {\"k\": 0, \"k\": 0}}]") == "1:17: /0/x/k: this key is there twice");
}

TEST_CASE("json: nesting ends somewhere") {
  const std::string most(kMaxJsonDepth, '[');
  (void)parse(most + std::string(kMaxJsonDepth, ']'));
  CHECK(refusal(most + "[") == "1:65: nested deeper than 64 levels");
  CHECK(refusal(std::string(1000000, '[')) == "1:65: nested deeper than 64 levels");
}

TEST_CASE("json: every proper prefix of a document is refused, and none does harm") {
  const std::string text = R"({"a": [1, 2.5, -3, true, null], "b": {"c": "d\u00e4\n"}})";
  for (size_t length = 0; length < text.size(); ++length) {
    Diagnostics diagnostics;
    CHECK_FALSE(parse_json(text.substr(0, length), "test.json", diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].place.line == 1);
    CHECK(diagnostics.all()[0].place.column <= length + 1);
  }
}

}  // namespace
}  // namespace heapsmith::input
