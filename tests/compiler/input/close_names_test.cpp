// SPDX-License-Identifier: MIT
#include "input/close_names.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

namespace heapsmith::input {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"instances", "samplerInstances", "residence",
                                                    "table", "shared"};

TEST_CASE("close names: a slip of the pen finds its word") {
  CHECK(did_you_mean("instence", kNames) == "; did you mean 'instances'?");
  CHECK(did_you_mean("Residence", kNames) == "; did you mean 'residence'?");
  CHECK(did_you_mean("tabel", kNames).empty());
  CHECK(did_you_mean("tables", kNames) == "; did you mean 'table'?");
}

TEST_CASE("close names: part of a word will do") {
  CHECK(did_you_mean("Instances", kNames) == "; did you mean 'instances' or 'samplerInstances'?");
}

TEST_CASE("close names: nothing is near nonsense") {
  CHECK(did_you_mean("", kNames).empty());
  CHECK(did_you_mean("x", kNames).empty());
  CHECK(did_you_mean("qwertyuiop", kNames).empty());
  CHECK(did_you_mean(std::string(100000, 'a'), kNames).empty());
}

}  // namespace
}  // namespace heapsmith::input
