// SPDX-License-Identifier: MIT
#include "input/read_file.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <format>
#include <fstream>
#include <string>

namespace heapsmith::input {
namespace {

namespace fs = std::filesystem;

TEST_CASE("files are read byte by byte") {
  const fs::path path =
      fs::temp_directory_path() /
      std::format("heapsmith-read-{}", std::chrono::steady_clock::now().time_since_epoch().count());
  std::string bytes("\0\r\n\x1a\xff", 5);
  bytes.resize(200001, 'x');
  std::ofstream(path, std::ios::binary) << bytes;
  Diagnostics diagnostics;
  const auto read = read_file(path.string(), diagnostics);
  fs::remove(path);
  REQUIRE(read);
  CHECK(*read == bytes);
}

TEST_CASE("files that cannot be read") {
  const auto refusal = [](const std::string& path) {
    Diagnostics diagnostics;
    CHECK_FALSE(read_file(path, diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].code == Code::FileNotFound);
    CHECK(diagnostics.all()[0].place.file == path);
    return diagnostics.all()[0].text;
  };
  CHECK(refusal("no/such/file").starts_with("cannot be read: "));
  CHECK(refusal("").starts_with("cannot be read: "));
  CHECK(refusal(fs::temp_directory_path().string()) == "is a directory, not a file");
}

TEST_CASE("standard input has a name of its own") {
  CHECK(shown_path("-") == "<stdin>");
  CHECK(shown_path("./-") == "./-");
}

}  // namespace
}  // namespace heapsmith::input
