// SPDX-License-Identifier: MIT
#include "emit/write_files.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace heapsmith::emit {
namespace {

namespace fs = std::filesystem;

/// A folder of its own that is gone at the end.
class Folder {
 public:
  Folder() {
    static int count = 0;
    root_ = fs::temp_directory_path() /
            std::format("heapsmith-write-{}-{}",
                        std::chrono::steady_clock::now().time_since_epoch().count(), ++count);
    fs::create_directories(root_);
  }
  ~Folder() { fs::remove_all(root_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string get(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// So that a write in the next moment would show.
  fs::file_time_type age(const std::string& name) const {
    fs::last_write_time(path(name), fs::file_time_type::clock::now() - std::chrono::hours(1));
    return fs::last_write_time(path(name));
  }
  fs::file_time_type time(const std::string& name) const { return fs::last_write_time(path(name)); }
  /// All names below, each with a space behind it.
  std::string list() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(root_))
      names.push_back(entry.path().lexically_relative(root_).generic_string());
    std::ranges::sort(names);
    std::string text;
    for (const std::string& name : names)
      text += name + " ";
    return text;
  }

 private:
  fs::path root_;
};

/// Empty if all went well, else the one diagnostic.
std::string write(const std::vector<OutputFile>& files, const std::string& folder = {}) {
  Diagnostics diagnostics;
  const auto written = write_files(files, folder, diagnostics);
  CHECK(written.has_value() != diagnostics.has_errors());
  if (written) return {};
  REQUIRE(diagnostics.all().size() == 1);
  const Diagnostic& error = diagnostics.all()[0];
  CHECK(error.code == Code::CannotWrite);
  CHECK_FALSE(error.text.contains("Success"));
  return error.place.file + ": " + error.text;
}

TEST_CASE("files: new ones, in a new folder") {
  const Folder folder;
  const std::string bytes("a\0\n\r\xff", 5);
  CHECK(write({{folder.path("out/a"), bytes}, {folder.path("out/b"), ""}}, folder.path("out"))
            .empty());
  CHECK(folder.get("out/a") == bytes);
  CHECK(folder.get("out/b").empty());
  CHECK(folder.list() == "out out/a out/b ");
}

TEST_CASE("files: changed ones are replaced, others keep their time") {
  const Folder folder;
  folder.put("same", "1");
  folder.put("other", "1");
  const auto same = folder.age("same");
  const auto other = folder.age("other");
  CHECK(write({{folder.path("same"), "1"}, {folder.path("other"), "2"}}).empty());
  CHECK(folder.time("same") == same);
  CHECK(folder.time("other") != other);
  CHECK(folder.get("other") == "2");
  CHECK(folder.list() == "other same ");
}

/// A run that cannot write its last file leaves the others, and nothing else.
void check_rollback(const Folder& folder, const std::string& bad, const std::string& expected) {
  folder.put("old", "1");
  const auto time = folder.age("old");
  const std::string before = folder.list();
  const std::string refusal =
      write({{folder.path("old"), "2"}, {folder.path("new"), "3"}, {bad, "4"}});
  CHECK(refusal.starts_with(bad + ": cannot be written: "));
  CHECK(refusal.contains(expected));
  CHECK(folder.get("old") == "1");
  CHECK(folder.time("old") == time);
  CHECK(folder.list() == before);
}

TEST_CASE("files: a destination that is a directory") {
  const Folder folder;
  fs::create_directory(folder.path("bad"));
  check_rollback(folder, folder.path("bad"), "directory");
}

TEST_CASE("files: a destination in a missing folder") {
  const Folder folder;
  check_rollback(folder, folder.path("missing/bad"), "");
}

TEST_CASE("files: a destination below a file") {
  const Folder folder;
  folder.put("file", "");
  check_rollback(folder, folder.path("file/bad"), "");
}

TEST_CASE("files: a name that is too long") {
  const Folder folder;
  const std::string longest(255, 'x');
  CHECK(write({{folder.path(longest), "1"}}).empty());
  CHECK(folder.get(longest) == "1");
  check_rollback(folder, folder.path(longest + "x"), "");
}

TEST_CASE("files: one destination named twice") {
  const Folder folder;
  folder.put("old", "1");
  const auto time = folder.age("old");
  const std::string refusal =
      write({{folder.path("old"), "2"}, {folder.path("new"), "3"}, {folder.path("new"), "4"}});
  CHECK(refusal == folder.path("new") + ": cannot be written: it is named twice");
  CHECK(folder.time("old") == time);
  CHECK(folder.list() == "old ");
}

TEST_CASE("files: the folder") {
  const Folder folder;
  SECTION("exists") {
    CHECK(write({{folder.path("a"), "1"}}, folder.path("")).empty());
  }
  SECTION("is a file") {
    folder.put("out", "");
    CHECK(write({{folder.path("out/a"), "1"}}, folder.path("out"))
              .starts_with(folder.path("out") + ": cannot be written: "));
  }
  SECTION("has no parent") {
    CHECK(write({{folder.path("x/out/a"), "1"}}, folder.path("x/out"))
              .starts_with(folder.path("x/out") + ": cannot be written: "));
    CHECK(folder.list().empty());
  }
  SECTION("is not left behind by a run that fails") {
    CHECK_FALSE(write({{folder.path("out/a"), "1"}, {folder.path("no/b"), "2"}}, folder.path("out"))
                    .empty());
    CHECK(folder.list().empty());
  }
}

#ifndef _WIN32

TEST_CASE("files: a read-only destination") {
  if (geteuid() == 0) SKIP("root may write everything");
  const Folder folder;
  folder.put("bad", "1");
  fs::permissions(folder.path("bad"), fs::perms::owner_read);
  check_rollback(folder, folder.path("bad"), "read-only");
}

TEST_CASE("files: a folder that nothing may be added to") {
  if (geteuid() == 0) SKIP("root may write everything");
  const Folder folder;
  fs::create_directory(folder.path("locked"));
  fs::permissions(folder.path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  check_rollback(folder, folder.path("locked/bad"), "");
}

TEST_CASE("files: devices") {
  const Folder folder;
  CHECK(write({{"/dev/null", "1"}, {folder.path("a"), "2"}}).empty());
  CHECK(folder.get("a") == "2");
  CHECK_FALSE(fs::is_regular_file("/dev/null"));
  if (fs::exists("/dev/full")) check_rollback(folder, "/dev/full", "space");
}

TEST_CASE("files: a symbolic link stays one, and its file is replaced") {
  const Folder folder;
  fs::create_directory(folder.path("far"));
  folder.put("far/file", "1");
  fs::create_symlink("far/file", folder.path("link"));
  CHECK(write({{folder.path("link"), "2"}}).empty());
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(folder.get("far/file") == "2");
  CHECK(folder.list() == "far far/file link ");
}

TEST_CASE("files: a replaced file keeps its permissions") {
  const Folder folder;
  folder.put("a", "1");
  const auto perms = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
  fs::permissions(folder.path("a"), perms);
  CHECK(write({{folder.path("a"), "2"}}).empty());
  CHECK(fs::status(folder.path("a")).permissions() == perms);
}

#endif

}  // namespace
}  // namespace heapsmith::emit
