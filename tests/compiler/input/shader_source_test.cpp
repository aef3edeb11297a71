// SPDX-License-Identifier: MIT
#include "input/shader_source.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <string>
#include <vector>

namespace heapsmith::input {
namespace {

namespace fs = std::filesystem;

struct Compiled {
  Diagnosed<CompiledSource> source = std::unexpected(Diagnostics().error({}, {}, ""));
  std::string diagnostics;  ///< "file:line: severity text", a line each
};

Compiled compile(std::string_view text, const SourceOptions& options = {},
                 const std::string& path = "a.comp", ShaderStage stage = ShaderStage::Compute) {
  Diagnostics diagnostics;
  Compiled compiled = {.source = compile_glsl(text, path, stage, options, diagnostics)};
  CHECK(compiled.source.has_value() != diagnostics.has_errors());
  for (const Diagnostic& d : diagnostics.all()) {
    compiled.diagnostics +=
        std::format("{}:{}: {} {}\n", d.place.file, d.place.line, code_text(d.code), d.text);
  }
  return compiled;
}

const std::string kGood = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint x; } b;
void main() { b.x = 1; }
)";

std::string with_line_ends(std::string text, const std::string& end) {
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + end.size()))
    text.replace(at, 1, end);
  return text;
}

/// A folder of its own with GLSL files in it.
class Folder {
 public:
  Folder() {
    static int count = 0;
    root_ = fs::temp_directory_path() /
            std::format("heapsmith-glsl-{}-{}",
                        std::chrono::steady_clock::now().time_since_epoch().count(), ++count);
    fs::create_directories(root_ / "lib");
  }
  ~Folder() { fs::remove_all(root_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return (root_ / name).generic_string(); }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

 private:
  fs::path root_;
};

bool contains_text(const CompiledSource& source, const std::string& text) {
  const std::string bytes(reinterpret_cast<const char*>(source.words.data()),
                          source.words.size() * sizeof(uint32_t));
  return bytes.contains(text);
}

TEST_CASE("glsl: byte order mark and line ends make no difference") {
  const Compiled plain = compile(kGood);
  REQUIRE(plain.source);
  CHECK(plain.diagnostics.empty());
  for (const std::string& text :
       {"\xEF\xBB\xBF" + kGood, with_line_ends(kGood, "\r\n"),
        "\xEF\xBB\xBF" + with_line_ends(kGood, "\r\n"), with_line_ends(kGood, "\r")}) {
    const Compiled other = compile(text);
    REQUIRE(other.source);
    CHECK(other.source->words == plain.source->words);
  }
}

TEST_CASE("glsl: two runs give the same words") {
  CHECK(compile(kGood).source->words == compile(kGood).source->words);
}

TEST_CASE("glsl: errors have the line that an editor shows") {
  const std::string bad = "#version 460\n\nvoid main() {\n  nothing;\n}\n";
  for (const std::string& text : {bad, "\xEF\xBB\xBF" + bad, with_line_ends(bad, "\r\n")}) {
    const Compiled compiled = compile(text);
    CAPTURE(compiled.diagnostics);
    CHECK(compiled.diagnostics.starts_with("a.comp:4: HS1004 "));
    CHECK(compiled.diagnostics.contains("nothing"));
    CHECK(std::ranges::count(compiled.diagnostics, '\n') == 1);
  }
}

TEST_CASE("glsl: a shader without main, without text, with another stage's words") {
  CHECK_FALSE(compile("#version 460\n").source);
  CHECK_FALSE(compile("").source);
  CHECK_FALSE(compile("#version 460\nvoid main() { gl_Position = vec4(0); }\n").source);
}

TEST_CASE("glsl: a path with colons and spaces stays whole in diagnostics") {
  CHECK(compile("#version 460\nvoid main() { x; }\n", {}, "C: a:3.comp")
            .diagnostics.starts_with("C: a:3.comp:2: HS1004 "));
  CHECK(compile("#version 460\nvoid main() { x; }\n", {}, "-")
            .diagnostics.starts_with("<stdin>:2: HS1004 "));
}

TEST_CASE("glsl: defines") {
  const std::string text =
      "#version 460\nlayout(local_size_x = 1) in;\n"
      "#ifndef FLAG\n#error no flag\n#endif\n"
      "layout(set = 0, binding = N) buffer B { uint x; } b;\nvoid main() { b.x = F(3); }\n";
  CHECK(compile(text, {.defines = {"FLAG", "N=2", "F(x)=(x + 1)"}}).source);
  const Compiled bad = compile(text, {.defines = {"N=2", "F(x)=x"}});
  CHECK(bad.diagnostics.starts_with("a.comp:4: HS1004 "));
  CHECK(bad.diagnostics.contains("no flag"));
}

TEST_CASE("glsl: includes, relative to the file that names them, then in the folders") {
  const Folder folder;
  folder.put("lib/one.glsl", "#include \"two.glsl\"\n");
  folder.put("lib/two.glsl", "#include <three.glsl>\nuint two() { return three(); }\n");
  folder.put("three.glsl", "uint three() { return 3; }\n");
  const std::string text =
      "#version 460\n#include \"lib/one.glsl\"\nlayout(local_size_x = 1) in;\n"
      "layout(set = 0, binding = 0) buffer B { uint x; } b;\nvoid main() { b.x = two(); }\n";
  for (const bool debug : {false, true}) {
    const SourceOptions options = {.includeFolders = {folder.path("lib"), folder.path("")},
                                   .debugInfo = debug};
    const Compiled compiled = compile(text, options, folder.path("a.comp"));
    CAPTURE(debug, compiled.diagnostics);
    REQUIRE(compiled.source);
    CHECK(compiled.source->includes == std::vector<std::string>{folder.path("lib/one.glsl"),
                                                                folder.path("lib/two.glsl"),
                                                                folder.path("three.glsl")});
    // What gets into the SPIR-V must not depend on where the sources lie.
    CHECK_FALSE(contains_text(*compiled.source, folder.path("")));
  }
}

TEST_CASE("glsl: an include that is missing, and one that includes itself") {
  const Folder folder;
  CHECK(compile("#version 460\n#include \"no.glsl\"\nvoid main() {}\n", {}, folder.path("a.comp"))
            .diagnostics.starts_with(folder.path("a.comp") + ":2: HS1004 "));
  folder.put("loop.glsl", "#include \"loop.glsl\"\n");
  const Compiled loop =
      compile("#version 460\n#include \"loop.glsl\"\nvoid main() {}\n", {}, folder.path("a.comp"));
  CHECK_FALSE(loop.source);
}

TEST_CASE("glsl: errors point into the include") {
  const Folder folder;
  folder.put("lib/bad.glsl", "\n\nuint f() { return missing; }\n");
  for (const bool debug : {false, true}) {
    CAPTURE(debug);
    const Compiled compiled =
        compile("#version 460\n#include \"lib/bad.glsl\"\nvoid main() { f(); }\n",
                {.debugInfo = debug}, folder.path("a.comp"));
    CHECK(compiled.diagnostics.starts_with(folder.path("lib/bad.glsl") + ":3: HS1004 "));
  }
}

TEST_CASE("glsl: a missing binding names the variable, also in an include") {
  const std::string declaration = "layout(set = 0) uniform sampler2D noBinding;\n";
  const Compiled compiled = compile("#version 460\n" + declaration +
                                        "layout(location = 0) out vec4 c;\n"
                                        "void main() { c = texture(noBinding, vec2(0)); }\n",
                                    {}, "a.frag", ShaderStage::Fragment);
  CHECK(compiled.diagnostics.starts_with("a.frag:2: HS1004 "));
  CHECK(compiled.diagnostics.contains("noBinding"));
  const Folder folder;
  folder.put("lib/x.glsl", "// the first line\n" + declaration);
  const Compiled included = compile(
      "#version 460\n#include \"lib/x.glsl\"\nlayout(location = 0) out vec4 c;\n"
      "void main() { c = texture(noBinding, vec2(0)); }\n",
      {}, folder.path("a.frag"), ShaderStage::Fragment);
  CHECK(included.diagnostics.starts_with(folder.path("lib/x.glsl") + ":2: HS1004 "));
  CHECK(included.diagnostics.contains("noBinding"));
}

TEST_CASE("glsl: unsized arrays are found, but not in comments and dead branches") {
  const Compiled compiled = compile(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform sampler2D sized[4];
layout(set = 0, binding = 1) uniform sampler2D open[];
layout(set = 0, binding = 2) uniform sampler2D apart [ ];
// uniform sampler2D comment[];
#if 0
uniform sampler2D dead[];
#endif
layout(location = 0) out vec4 c;
void main() { c = texture(open[5], vec2(0)) + texture(apart[0], vec2(0)) + texture(sized[0], vec2(0)); }
)",
                                    {}, "a.frag", ShaderStage::Fragment);
  REQUIRE(compiled.source);
  CHECK(compiled.source->unsizedArrays == std::vector<std::string>{"apart", "open"});
}

TEST_CASE("glsl: target environments give the highest SPIR-V version that they take") {
  using spirv::TargetEnvironment;
  const std::pair<TargetEnvironment, uint32_t> versions[] = {
      {TargetEnvironment::Vulkan10, 0x00010000},        {TargetEnvironment::Vulkan11, 0x00010300},
      {TargetEnvironment::Vulkan11Spirv14, 0x00010400}, {TargetEnvironment::Vulkan12, 0x00010500},
      {TargetEnvironment::Vulkan13, 0x00010600},        {TargetEnvironment::Vulkan14, 0x00010600},
  };
  for (const auto& [target, version] : versions) {
    const Compiled compiled = compile(kGood, {.target = target});
    REQUIRE(compiled.source);
    CHECK(compiled.source->words.at(1) == version);
  }
}

TEST_CASE("glsl: every stage compiles") {
  const std::pair<ShaderStage, std::string> stages[] = {
      {ShaderStage::Vertex, ""},
      {ShaderStage::TessellationControl, "layout(vertices = 3) out;"},
      {ShaderStage::TessellationEvaluation, "layout(triangles) in;"},
      {ShaderStage::Geometry, "layout(points) in; layout(points, max_vertices = 1) out;"},
      {ShaderStage::Fragment, ""},
      {ShaderStage::Compute, ""},
      {ShaderStage::Task, "#extension GL_EXT_mesh_shader : require\n"},
      {ShaderStage::Mesh,
       "#extension GL_EXT_mesh_shader : require\n"
       "layout(points) out; layout(max_vertices = 1, max_primitives = 1) out;"},
      {ShaderStage::RayGeneration, "#extension GL_EXT_ray_tracing : require\n"},
      {ShaderStage::AnyHit, "#extension GL_EXT_ray_tracing : require\n"},
      {ShaderStage::ClosestHit, "#extension GL_EXT_ray_tracing : require\n"},
      {ShaderStage::Miss, "#extension GL_EXT_ray_tracing : require\n"},
      {ShaderStage::Intersection, "#extension GL_EXT_ray_tracing : require\n"},
      {ShaderStage::Callable, "#extension GL_EXT_ray_tracing : require\n"},
  };
  for (const auto& [stage, text] : stages) {
    const Compiled compiled =
        compile("#version 460\n" + text + "\nvoid main() {}\n", {}, "a", stage);
    CAPTURE(to_string(stage), compiled.diagnostics);
    CHECK(compiled.source);
  }
}

TEST_CASE("glsl: any 32-bit set and binding") {
  CHECK(compile("#version 460\nlayout(set = 4000000, binding = 4000000) buffer B { uint x; };\n"
                "void main() { x = 1; }\n")
            .source);
}

}  // namespace
}  // namespace heapsmith::input
