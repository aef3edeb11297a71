// SPDX-License-Identifier: MIT
#include "driver/map.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "heapsmith/manifest_json.h"
#include "reflect/sample_shaders.h"

namespace heapsmith::driver {
namespace {

namespace fs = std::filesystem;

/// A folder of its own with shaders in it.
class Folder {
 public:
  Folder() {
    static int count = 0;
    root_ = fs::temp_directory_path() /
            std::format("heapsmith-map-{}-{}",
                        std::chrono::steady_clock::now().time_since_epoch().count(), ++count);
    fs::create_directories(root_);
    put("a.comp",
        "#version 460\nlayout(set = 0, binding = 0) buffer B { uint x; } b;\n"
        "void main() { b.x = 1; }\n");
  }
  ~Folder() { fs::remove_all(root_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return (root_ / name).generic_string(); }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string get(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  fs::path root_;
};

MapOptions options_for(const Folder& folder, const std::vector<std::string>& inputs) {
  MapOptions options;
  for (const std::string& input : inputs)
    options.shaders.inputs.push_back(folder.path(input));
  options.shaders.threads = 1;
  options.outputFolder = folder.path("out");
  return options;
}

std::string run(const MapOptions& options) {
  Diagnostics diagnostics;
  const auto printed = map(options, diagnostics);
  CHECK(printed.has_value() != diagnostics.has_errors());
  return reflect::sample::describe(diagnostics);
}

TEST_CASE("map: the manifest names each file relative to itself, with its hash") {
  const Folder folder;
  MapOptions options = options_for(folder, {"a.comp"});
  std::string expected = "a.comp.spv";
  std::string manifest = "out/manifest.json";
  SECTION("in the output folder") {}
  SECTION("beside the output folder") {
    options.manifestFile = folder.path(manifest = "m.json");
    expected = "out/a.comp.spv";
  }
  SECTION("in another folder") {
    fs::create_directories(folder.path("data/shaders"));
    options.manifestFile = folder.path(manifest = "data/shaders/m.json");
    expected = "../../out/a.comp.spv";
  }
  CHECK(run(options).empty());
  const auto loaded = load_manifest_json(folder.get(manifest));
  REQUIRE(loaded);
  const Shader& shader = loaded->manifest.shaders[0];
  CHECK(shader.file == expected);
  const std::string bytes = folder.get("out/a.comp.spv");
  CHECK(shader.sha256 == sha256_hex(std::as_bytes(std::span(bytes))));
}

/// The current folder, for a while.
class Inside {
 public:
  explicit Inside(const std::string& folder) { fs::current_path(folder); }
  ~Inside() { fs::current_path(before_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  fs::path before_ = fs::current_path();
};

TEST_CASE("map: relative paths, to what does not exist yet") {
  const Folder folder;
  const Inside inside(folder.path(""));
  MapOptions options;
  options.shaders.inputs = {"a.comp"};
  options.outputFolder = "out";
  options.manifestFile = "m.json";
  CHECK(run(options).empty());
  const auto loaded = load_manifest_json(folder.get("m.json"));
  REQUIRE(loaded);
  CHECK(loaded->manifest.shaders[0].file == "out/a.comp.spv");

  options.outputFolder = "new";
  for (const std::string& bad : {std::string("new/../a.comp"), folder.path("new/a.comp.spv"),
                                 folder.path("a.comp"), std::string("new/a.comp.spv")}) {
    CAPTURE(bad);
    options.manifestFile = bad;
    CHECK(run(options).starts_with("HS1016 "));
    CHECK_FALSE(fs::exists("new"));
  }
}

TEST_CASE("map: a second run changes nothing") {
  const Folder folder;
  MapOptions options = options_for(folder, {"a.comp"});
  options.headerFile = folder.path("out/a.h");
  options.dependencyFile = folder.path("out/a.d");
  CHECK(run(options).empty());
  std::vector<fs::file_time_type> times;
  const std::vector<std::string> files = {"out/a.comp.spv", "out/manifest.json", "out/a.h",
                                          "out/a.d"};
  for (const std::string& file : files) {
    fs::last_write_time(folder.path(file),
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    times.push_back(fs::last_write_time(folder.path(file)));
  }
  CHECK(run(options).empty());
  for (size_t i = 0; i < files.size(); ++i)
    CHECK(fs::last_write_time(folder.path(files[i])) == times[i]);
}

TEST_CASE("map: outputs that would overwrite each other, or an input, are refused") {
  const Folder folder;
  folder.put("b/a.comp", folder.get("a.comp"));
  folder.put("policy.json", "{}");
  MapOptions options = options_for(folder, {"a.comp"});
  SECTION("two shaders of one name") {
    options = options_for(folder, {"a.comp", "b/a.comp"});
  }
  SECTION("header and manifest") {
    options.headerFile = folder.path("out/../out/manifest.json");
  }
  SECTION("header and SPIR-V") {
    options.headerFile = folder.path("out/a.comp.spv");
  }
  SECTION("header and dependency file") {
    options.headerFile = options.dependencyFile = folder.path("out/x");
  }
  SECTION("header and shader") {
    options.headerFile = folder.path("a.comp");
  }
  SECTION("manifest and policy") {
    options.policyFile = options.manifestFile = folder.path("policy.json");
  }
  CHECK(run(options).starts_with("HS1016 "));
  CHECK_FALSE(fs::exists(folder.path("out")));
}

TEST_CASE("map: SPIR-V may be written over itself") {
  const Folder folder;
  CHECK(run(options_for(folder, {"a.comp"})).empty());
  CHECK(run(options_for(folder, {"out/a.comp.spv"})).empty());
}

TEST_CASE("map: the dependency file names all that was read") {
  const Folder folder;
  folder.put("lib/x.glsl", "uint x() { return 1; }\n");
  folder.put("b.comp",
             "#version 460\n#include \"lib/x.glsl\"\nlayout(set = 0, binding = 0) buffer B { uint "
             "y; };\nvoid main() { y = x(); }\n");
  folder.put("policy.json", "{}");
  folder.put("card.json", "{}");
  MapOptions options = options_for(folder, {"a.comp", "b.comp"});
  options.policyFile = folder.path("policy.json");
  options.profiles = {"lavapipe"};
  options.dependencyFile = folder.path("out/x.d");
  options.dependencyTargets = {"target"};
  CHECK(run(options).empty());
  CHECK(folder.get("out/x.d") ==
        std::format("target: \\\n  {} \\\n  {} \\\n  {} \\\n  {}\n", folder.path("a.comp"),
                    folder.path("b.comp"), folder.path("lib/x.glsl"), folder.path("policy.json")));
}

TEST_CASE("map: what fails leaves no folder behind") {
  const Folder folder;
  folder.put("bad.comp", "#version 460\nvoid main() { x; }\n");
  CHECK(run(options_for(folder, {"a.comp", "bad.comp"}))
            .starts_with("HS1004 " + folder.path("bad.comp")));
  CHECK_FALSE(fs::exists(folder.path("out")));
  MapOptions options = options_for(folder, {"a.comp"});
  options.headerFile = folder.path("missing/x.h");
  CHECK(run(options).starts_with("HS1015 "));
  CHECK_FALSE(fs::exists(folder.path("out")));
}

TEST_CASE("map: threads do not change the result") {
  const Folder folder;
  std::vector<std::string> inputs;
  for (int i = 0; i < 12; ++i) {
    inputs.push_back(std::format("s{}.comp", i));
    folder.put(inputs.back(),
               std::format("#version 460\nlayout(set = 0, binding = {}) uniform U {{ uint x; }};\n"
                           "layout(set = 0, binding = 9) buffer B {{ uint y[]; }};\n"
                           "void main() {{ y[0] = x; }}\n",
                           i % 3));
  }
  MapOptions options = options_for(folder, inputs);
  CHECK(run(options).empty());
  const std::string first = folder.get("out/manifest.json");
  options.shaders.threads = 4;
  std::ranges::reverse(options.shaders.inputs);
  CHECK(run(options).empty());
  CHECK(folder.get("out/manifest.json") == first);
}

TEST_CASE("map: a file name that a manifest cannot hold") {
  const Folder folder;
  folder.put("x:y.comp", folder.get("a.comp"));
  CHECK(run(options_for(folder, {"x:y.comp"})).empty());
  const auto loaded = load_manifest_json(folder.get("out/manifest.json"));
  REQUIRE(loaded);
  CHECK(loaded->manifest.shaders[0].file == "x_y.comp.spv");
  CHECK(fs::exists(folder.path("out/x_y.comp.spv")));
}

}  // namespace
}  // namespace heapsmith::driver
