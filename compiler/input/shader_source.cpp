// SPDX-License-Identifier: MIT
#include "input/shader_source.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>

#include "base/check.h"
#include "input/read_file.h"

namespace heapsmith::input {
namespace {

// glslang keeps global tables; they are made once, on first use, and live as long as the process.
void need_glslang() {
  static const bool ready = glslang::InitializeProcess();
  HEAPSMITH_CHECK(ready);
}

EShLanguage language_of(ShaderStage stage) {
  switch (stage) {
    case ShaderStage::Vertex:
      return EShLangVertex;
    case ShaderStage::TessellationControl:
      return EShLangTessControl;
    case ShaderStage::TessellationEvaluation:
      return EShLangTessEvaluation;
    case ShaderStage::Geometry:
      return EShLangGeometry;
    case ShaderStage::Fragment:
      return EShLangFragment;
    case ShaderStage::Compute:
      return EShLangCompute;
    case ShaderStage::Task:
      return EShLangTask;
    case ShaderStage::Mesh:
      return EShLangMesh;
    case ShaderStage::RayGeneration:
      return EShLangRayGen;
    case ShaderStage::AnyHit:
      return EShLangAnyHit;
    case ShaderStage::ClosestHit:
      return EShLangClosestHit;
    case ShaderStage::Miss:
      return EShLangMiss;
    case ShaderStage::Intersection:
      return EShLangIntersect;
    case ShaderStage::Callable:
      return EShLangCallable;
  }
  HEAPSMITH_UNREACHABLE();
}

struct Target {
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion language;
};

// The highest SPIR-V version that each Vulkan version takes.
Target target_of(spirv::TargetEnvironment environment) {
  using spirv::TargetEnvironment;
  switch (environment) {
    case TargetEnvironment::Vulkan10:
      return {glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0};
    case TargetEnvironment::Vulkan11:
      return {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3};
    case TargetEnvironment::Vulkan11Spirv14:
      return {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_4};
    case TargetEnvironment::Vulkan12:
      return {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5};
    case TargetEnvironment::Vulkan13:
      return {glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6};
    case TargetEnvironment::Vulkan14:
      return {glslang::EShTargetVulkan_1_4, glslang::EShTargetSpv_1_6};
  }
  HEAPSMITH_UNREACHABLE();
}

// A file that was read beside the source.
struct Included {
  std::string name;  // as the front end knows it
  std::string path;
  std::string text;
};

// With debug information names get into the output, which must not depend on where the folders lie.
// So there an include is called as the files themselves call it: "lib/noise.glsl".
enum class NamesOf : uint8_t { Paths, Includes };

// Finds includes beside the file that names them, then in the folders of -I.
class Includer final : public glslang::TShader::Includer {
 public:
  Includer(const std::string& main_path, NamesOf names, const std::vector<std::string>& folders)
      : names_(names), folders_(folders) {
    open_.push_back({main_path, std::filesystem::path(main_path).filename()});
  }

  IncludeResult* includeLocal(const char* header, const char*, size_t depth) override {
    if (depth > kMaxDepth) return nullptr;
    open_.resize(std::min(depth, open_.size()));  // 1 is the source itself
    const Open from = open_.back();
    return open(from.path.parent_path() / header, from.shown.parent_path() / header);
  }
  IncludeResult* includeSystem(const char* header, const char*, size_t depth) override {
    if (depth > kMaxDepth) return refusal("files include each other without an end");
    open_.resize(std::min(depth, open_.size()));
    for (const std::string& folder : folders_) {
      if (IncludeResult* found = open(std::filesystem::path(folder) / header, header)) return found;
    }
    return nullptr;
  }
  void releaseInclude(IncludeResult* result) override {
    if (result == nullptr) return;
    delete static_cast<std::string*>(result->userData);
    delete result;
  }

  std::vector<Included> files;  // in the order of first use

 private:
  static constexpr size_t kMaxDepth = 100;

  struct Open {
    std::filesystem::path path;
    std::filesystem::path shown;
  };

  IncludeResult* open(const std::filesystem::path& path, const std::filesystem::path& shown) {
    std::error_code ignored;
    const Open found = {path.lexically_normal(), shown.lexically_normal()};
    if (!std::filesystem::is_regular_file(found.path, ignored)) return nullptr;
    std::ifstream stream(found.path, std::ios::binary);
    if (!stream) return nullptr;
    open_.push_back(found);
    Included included = {
        .name = (names_ == NamesOf::Paths ? found.path : found.shown).generic_string(),
        .path = found.path.generic_string(),
        .text = std::string(std::istreambuf_iterator<char>(stream), {})};
    IncludeResult* result = hand_over(included.name, included.text);
    if (!std::ranges::contains(files, included.path, &Included::path)) {
      files.push_back(std::move(included));
    }
    return result;
  }

  static IncludeResult* hand_over(const std::string& name, const std::string& text) {
    std::string* owned = std::make_unique<std::string>(text).release();
    return new IncludeResult(name, owned->data(), owned->size(), owned);
  }
  static IncludeResult* refusal(const std::string& text) { return hand_over({}, text); }

  NamesOf names_;
  const std::vector<std::string>& folders_;
  std::vector<Open> open_;
};

std::string preamble_of(const std::vector<std::string>& defines) {
  std::string text = "#extension GL_GOOGLE_include_directive : enable\n";
  for (const std::string& define : defines) {
    const size_t equals = define.find('=');
    text += std::format("#define {} {}\n", define.substr(0, equals),
                        equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  return text;
}

std::string trimmed(std::string_view text) {
  const char* kBlank = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

// Line `number` of a text, as the front end counts: only a line feed ends one.
std::string find_line(std::string_view text, uint32_t number) {
  size_t at = 0;
  for (uint32_t line = 1; line < number; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  return trimmed(text.substr(at, text.find('\n', at) - at));
}

// Turns glslang's log into diagnostics.
class Log {
 public:
  Log(std::string_view source, const std::string& name, const std::string& path,
      const std::vector<Included>& includes, Diagnostics& diagnostics)
      : source_(source), name_(name), path_(path), includes_(includes), diagnostics_(diagnostics) {}

  void report(const char* log) {
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
      report_line(trimmed(line));
  }

 private:
  void report_line(std::string_view line) {
    const bool error = line.starts_with("ERROR: ");
    if (!error && !line.starts_with("WARNING: ")) return;
    std::string_view text = line.substr(line.find(' ') + 1);
    // Its own count of errors, and what follows from them.
    if (text.ends_with("compilation terminated")) return;
    if (text.ends_with("No code generated.") || text.starts_with("Linking ")) {
      if (!error || any_error_) return;
    }
    Place place = {.file = path_};
    std::string_view file_text = source_;
    text = take_place(text, place, file_text);
    std::string message = trimmed(text);
    if (message.contains("requires layout(binding") || message.contains("require layout(binding")) {
      // The front end does not say which variable it means, but its line does.
      message += std::format(": '{}'", find_line(file_text, place.line));
    }
    if (error) {
      any_error_ = true;
      diagnostics_.error(Code::SourceError, std::move(place), std::move(message));
    } else {
      diagnostics_.warning(Code::SourceWarning, std::move(place), std::move(message));
    }
  }

  // "FILE:LINE:COLUMN: text", where FILE is a name that we gave: it may have colons itself.
  std::string_view take_place(std::string_view text, Place& place,
                              std::string_view& file_text) const {
    for (const Included& included : includes_) {
      if (!take_line(text, included.name, place)) continue;
      place.file = included.path;
      file_text = included.text;
      return text;
    }
    take_line(text, name_, place);
    return text;
  }

  static bool take_line(std::string_view& text, const std::string& name, Place& place) {
    if (!text.starts_with(name + ":")) return false;
    const char* end = text.data() + text.size();
    const auto line = std::from_chars(text.data() + name.size() + 1, end, place.line);
    if (line.ec != std::errc() || line.ptr == end || *line.ptr != ':') return false;
    const auto column = std::from_chars(line.ptr + 1, end, place.column);
    const bool has_column = column.ec == std::errc() && column.ptr != end && *column.ptr == ':';
    text = {(has_column ? column.ptr : line.ptr) + 1, end};
    return true;
  }

  std::string_view source_;
  const std::string& name_;
  const std::string& path_;
  const std::vector<Included>& includes_;
  Diagnostics& diagnostics_;
  bool any_error_ = false;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Names in front of an empty pair of brackets.
std::vector<std::string> find_unsized_arrays(std::string_view text) {
  std::set<std::string> names;
  for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    size_t close = at + 1;
    while (close < text.size() && std::isspace(static_cast<unsigned char>(text[close])))
      ++close;
    if (close == text.size() || text[close] != ']') continue;
    size_t end = at;
    while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])))
      --end;
    size_t begin = end;
    while (begin > 0 && is_word(text[begin - 1]))
      --begin;
    if (begin != end) names.emplace(text.substr(begin, end - begin));
  }
  return {names.begin(), names.end()};
}

class Compilation {
 public:
  Compilation(std::string_view source, const std::string& path, ShaderStage stage,
              const SourceOptions& options, Diagnostics& diagnostics)
      : source_(source),
        path_(shown_path(path)),
        // With debug information the name gets into the output, which must not depend on folders.
        name_(options.debugInfo ? std::filesystem::path(path_).filename().string() : path_),
        language_(language_of(stage)),
        options_(options),
        preamble_(preamble_of(options.defines)),
        includer_(path_, names_of(options), options.includeFolders),
        diagnostics_(diagnostics) {}

  Diagnosed<CompiledSource> run() {
    glslang::TShader shader(language_);
    prepare(shader);
    const bool parsed =
        shader.parse(GetDefaultResources(), kDefaultVersion, false, messages(), includer_);
    Log log(source_, name_, path_, includer_.files, diagnostics_);
    log.report(shader.getInfoLog());
    if (!parsed) return failed("the front end refused the source");

    glslang::TProgram program;
    program.addShader(&shader);
    const bool linked = program.link(messages());
    log.report(program.getInfoLog());
    if (!linked) return failed("the front end refused the source");

    CompiledSource result;
    result.words = generate(*program.getIntermediate(language_));
    for (const Included& included : includer_.files)
      result.includes.push_back(included.path);
    if (!find_unsized_arrays(source_).empty() || !includer_.files.empty()) {
      result.unsizedArrays = find_unsized_arrays(preprocessed());
    }
    return result;
  }

 private:
  static constexpr int kDefaultVersion = 450;

  static NamesOf names_of(const SourceOptions& options) {
    return options.debugInfo ? NamesOf::Includes : NamesOf::Paths;
  }

  EShMessages messages() const {
    int flags = EShMsgSpvRules | EShMsgVulkanRules | EShMsgDisplayErrorColumn |
                EShMsgRelaxSetBindingLimits;  // heaps take any 32-bit set and binding
    if (options_.debugInfo) flags |= EShMsgDebugInfo;
    return static_cast<EShMessages>(flags);
  }

  void prepare(glslang::TShader& shader) {
    text_ = source_.data();
    length_ = static_cast<int>(source_.size());
    name_pointer_ = name_.c_str();
    const Target target = target_of(options_.target);
    shader.setStringsWithLengthsAndNames(&text_, &length_, &name_pointer_, 1);
    shader.setPreamble(preamble_.c_str());
    shader.setEnvInput(glslang::EShSourceGlsl, language_, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, target.client);
    shader.setEnvTarget(glslang::EShTargetSpv, target.language);
    shader.setDebugInfo(options_.debugInfo);
  }

  std::vector<uint32_t> generate(const glslang::TIntermediate& intermediate) const {
    glslang::SpvOptions spv_options;
    spv_options.generateDebugInfo = options_.debugInfo;
    std::vector<unsigned int> words;
    glslang::GlslangToSpv(intermediate, words, &spv_options);
    return {words.begin(), words.end()};
  }

  // Arrays in comments and in what #if leaves out are none.
  std::string preprocessed() {
    glslang::TShader shader(language_);
    prepare(shader);
    std::string text;
    Includer includer(path_, names_of(options_), options_.includeFolders);
    shader.preprocess(GetDefaultResources(), kDefaultVersion, ENoProfile, false, false, messages(),
                      &text, includer);
    return text;
  }

  std::unexpected<Failed> failed(const char* text) {
    if (diagnostics_.has_errors()) return diagnostics_.failed();
    return diagnostics_.error(Code::SourceError, {.file = path_}, text);
  }

  std::string_view source_;
  std::string path_;
  std::string name_;
  EShLanguage language_;
  const SourceOptions& options_;
  std::string preamble_;
  Includer includer_;
  Diagnostics& diagnostics_;
  const char* text_ = nullptr;
  int length_ = 0;
  const char* name_pointer_ = nullptr;
};

}  // namespace

Diagnosed<CompiledSource> compile_glsl(std::string_view source, const std::string& path,
                                       ShaderStage stage, const SourceOptions& options,
                                       Diagnostics& diagnostics) {
  need_glslang();
  // A byte order mark is no part of the text.
  if (source.starts_with("\xEF\xBB\xBF")) source.remove_prefix(3);
  return Compilation(source, path, stage, options, diagnostics).run();
}

}  // namespace heapsmith::input
