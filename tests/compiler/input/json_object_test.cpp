// SPDX-License-Identifier: MIT
#include "input/json_object.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "input/json_text.h"

namespace heapsmith::input {
namespace {

constexpr std::array<std::string_view, 2> kColours = {"red", "green"};

struct Read {
  uint64_t count = 0;
  uint64_t size = 0;
  bool flag = false;
  std::string name;
  size_t colour = 0;
  bool hasList = false;
  std::string complaints;  ///< "line:column: text" and a newline for each
};

Read read(std::string_view text) {
  Diagnostics diagnostics;
  const Diagnosed<JsonValue> root = parse_json(text, "test.json", diagnostics);
  REQUIRE(root);
  JsonErrors errors("test.json", Code::InvalidPolicy, diagnostics);
  JsonObject in(*root, errors);
  Read result;
  result.count = in.number("count", {1, 10});
  result.size = in.number_or("size", 7);
  result.flag = in.boolean_or("flag", true);
  result.name = in.string_or("name", "nobody");
  result.colour = in.choice_or("colour", 1, kColours);
  result.hasList = in.array_or_null("list") != nullptr;
  in.finish();
  CHECK(errors.any() == diagnostics.has_errors());
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    CHECK(diagnostic.code == Code::InvalidPolicy);
    result.complaints += std::to_string(diagnostic.place.line) + ":" +
                         std::to_string(diagnostic.place.column) + ": " + diagnostic.text + "\n";
  }
  return result;
}

TEST_CASE("json object: members are read, absent ones have their fallback") {
  const Read all =
      read(R"({"count": 3, "size": 0, "flag": false, "name": "x", "colour": "red", "list": []})");
  CHECK(all.complaints.empty());
  CHECK(all.count == 3);
  CHECK(all.size == 0);
  CHECK_FALSE(all.flag);
  CHECK(all.name == "x");
  CHECK(all.colour == 0);
  CHECK(all.hasList);

  const Read few = read(R"({"count": 10})");
  CHECK(few.complaints.empty());
  CHECK(few.size == 7);
  CHECK(few.flag);
  CHECK(few.name == "nobody");
  CHECK(few.colour == 1);
  CHECK_FALSE(few.hasList);
}

TEST_CASE("json object: everything that is wrong is said at once") {
  const Read bad = read(
      "{\"count\": 11, \"size\": -1,\n"
      " \"flag\": 1, \"name\": null,\n"
      " \"colour\": \"blue\", \"list\": {},\n"
      " \"Colour\": 1, \"zebra\": 2}");
  CHECK(bad.complaints ==
        "1:11: /count: must be an integer from 1 to 10\n"
        "1:23: /size: must be an integer of at least 0\n"
        "2:10: /flag: must be true or false, not a number\n"
        "2:21: /name: must be a string, not null\n"
        "3:12: /colour: must be 'red' or 'green'\n"
        "3:28: /list: must be an array, not an object\n"
        "4:2: /Colour: unknown key; did you mean 'colour'?\n"
        "4:15: /zebra: unknown key\n");
  CHECK(bad.size == 7);
  CHECK(bad.name == "nobody");
}

TEST_CASE("json object: a required member that is not there") {
  CHECK(read("{}").complaints == "1:1: the document lacks the key 'count'\n");
}

TEST_CASE("json object: something else than an object is one complaint") {
  CHECK(read("[1]").complaints == "1:1: the document must be an object, not an array\n");
}

TEST_CASE("json object: the schema's name, if there is one, is the right one") {
  const auto complaint = [](std::string_view text) {
    Diagnostics diagnostics;
    const Diagnosed<JsonValue> root = parse_json(text, "test.json", diagnostics);
    REQUIRE(root);
    JsonErrors errors("test.json", Code::InvalidPolicy, diagnostics);
    JsonObject in(*root, errors);
    in.check_schema("urn:heapsmith:schema:policy:1");
    in.finish();
    return errors.any() ? diagnostics.all().front().text : std::string();
  };
  CHECK(complaint("{}").empty());
  CHECK(complaint(R"({"$schema": "urn:heapsmith:schema:policy:1"})").empty());
  CHECK(complaint(R"({"$schema": "../schemas/policy.schema.json"})").empty());
  CHECK(complaint(R"({"$schema": "urn:heapsmith:schema:policy:2"})") ==
        "/$schema: must be 'urn:heapsmith:schema:policy:1'");
  CHECK(complaint(R"({"$schema": 1})") == "/$schema: must be a string, not a number");
}

}  // namespace
}  // namespace heapsmith::input
