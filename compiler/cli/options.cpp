// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <format>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "emit/cpp_names.h"
#include "input/shader_name.h"

namespace heapsmith::cli {
namespace {

constexpr int kUsageError = 2;

constexpr const char* kExamples = R"(examples:
  heapsmith map knot.vert knot.frag -o out
      compile a program, write out/knot.vert.spv, out/knot.frag.spv and out/manifest.json
  heapsmith map --policy policy.json --header shaders.h --namespace shaders *.vert *.frag -o out
      with a policy, and a C++ header for applications that compile the manifest in
  heapsmith map --program sky=full.vert,sky.frag full.vert sky.frag -o out
      say which shaders form a program
  heapsmith rewrite --policy policy.json *.vert *.frag -o out
      the same heaps, but the shaders read them by themselves instead of through mappings
  heapsmith rewrite --emit glsl draw.frag -o out
      write out/draw.frag.glsl too: the source that reads the heaps
  heapsmith rewrite --report - legacy/*.spv -o out
      say what became of each shader and what the application has to do now
  heapsmith rewrite --base specialization *.vert *.frag -o out
      for applications that place the regions into heaps of their own
  heapsmith policy init *.vert *.frag -o policy.json
      write a policy to start from: what can be said of each set and binding
  heapsmith map --policy policy.json --explain *.vert *.frag -o out
      say how each table is reached, why, and why not otherwise
  heapsmith lint --all-profiles out/manifest.json
      check every mapping by Vulkan's rules, for all known devices
  heapsmith lint --mappings mine.json --profile radv_navi31 shader.spv
      check mapping structures that you wrote yourself
  heapsmith resolve out/manifest.json --profile radv_navi31
      print every offset and stride for one device
  heapsmith reflect shader.spv
      print the interface of a shader as JSON; with --format text for people

exit codes: 0 fine, 1 the input was refused, 2 wrong usage, 70 a bug in heapsmith)";

constexpr std::array<std::pair<const char*, spirv::TargetEnvironment>, 6> kTargets = {{
    {"vulkan1.0", spirv::TargetEnvironment::Vulkan10},
    {"vulkan1.1", spirv::TargetEnvironment::Vulkan11},
    {"vulkan1.1spv1.4", spirv::TargetEnvironment::Vulkan11Spirv14},
    {"vulkan1.2", spirv::TargetEnvironment::Vulkan12},
    {"vulkan1.3", spirv::TargetEnvironment::Vulkan13},
    {"vulkan1.4", spirv::TargetEnvironment::Vulkan14},
}};

// Options whose conventional spelling has one dash and several letters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOneDash = {{
    {"-MD", "--write-depfile"},
    {"-MF", "--depfile"},
    {"-MT", "--depfile-target"},
}};

// Words of a response file: separated by white space, with quotes and backslashes as in a shell.
std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (quote == '\0' && is_space) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
    } else {
      word += c;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

// Response files may name others, but not themselves.
constexpr uint32_t kMaxResponseDepth = 16;

// Replaces "@file" by the words in it, and spells options the way CLI11 knows them. Gives what is
// wrong with a file, if anything is.
std::optional<std::string> expand(const std::vector<std::string>& arguments,
                                  std::vector<std::string>& expanded, uint32_t depth = 0) {
  for (const std::string& argument : arguments) {
    if (argument.size() > 1 && argument.front() == '@') {
      std::ifstream stream(argument.substr(1), std::ios::binary);
      if (!stream) {
        return std::format("response file '{}' cannot be read", argument.substr(1));
      }
      if (depth == kMaxResponseDepth) {
        return std::format("response file '{}' names itself", argument.substr(1));
      }
      const std::string text(std::istreambuf_iterator<char>(stream), {});
      if (auto problem = expand(split_words(text), expanded, depth + 1)) return problem;
      continue;
    }
    const auto found = std::ranges::find(kOneDash, argument,
                                         &std::pair<std::string_view, std::string_view>::first);
    expanded.emplace_back(found == kOneDash.end() ? std::string_view(argument) : found->second);
  }
  return std::nullopt;
}

// Options that name shaders, which `map` and `reflect` have in common.
class ShaderArguments {
 public:
  explicit ShaderArguments(CLI::App& app) {
    app.add_option("INPUT", options_.inputs,
                   "GLSL (stage by extension), SPIR-V, or SPIR-V assembly (.spvasm); - is standard "
                   "input")
        ->required();
    app.add_option("-x,--stage", stage_,
                   "stage of the GLSL inputs: vert, tesc, tese, geom, frag, "
                   "comp, task, mesh, rgen, rahit, rchit, rmiss, rint, rcall");
    app.add_option("-I,--include", options_.includeFolders, "folder to search for #include")
        ->allow_extra_args(false);
    app.add_option("-D,--define", options_.defines, "define a macro: NAME or NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("--target-env", target_,
                   "vulkan1.0 to vulkan1.4; default: vulkan1.3 for GLSL, "
                   "vulkan1.4 for SPIR-V")
        ->transform(CLI::IsMember(names(), CLI::ignore_case));
    app.add_flag("-g,--debug-info", options_.debugInfo, "put debug information into compiled GLSL");
    app.add_flag("!--no-validate", options_.validate, "do not run spirv-val over the shaders");
    app.add_option("-j,--threads", options_.threads, "number of threads; default: one a core");
  }

  // Empty text if all is well.
  std::string finish() {
    if (!stage_.empty()) {
      options_.stage = input::find_stage(stage_);
      if (!options_.stage) return std::format("--stage: '{}' is no shader stage", stage_);
    }
    for (const auto& [name, target] : kTargets)
      if (target_ == name) options_.target = target;
    if (std::ranges::count(options_.inputs, "-") > 1) return "standard input is named twice";
    return {};
  }

  driver::ShaderOptions take() { return std::move(options_); }
  size_t input_count() const { return options_.inputs.size(); }
  bool reads_standard_input() const { return std::ranges::contains(options_.inputs, "-"); }

 private:
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& [name, target] : kTargets)
      names.push_back(name);
    return names;
  }

  driver::ShaderOptions options_;
  std::string stage_;
  std::string target_;
};

// "NAME=FILE,FILE,..."; the text of what is wrong, if anything is.
class ProgramArguments {
 public:
  explicit ProgramArguments(CLI::App& app) {
    app.add_option("--program", texts_, "NAME=FILE,FILE,...: shaders of one pipeline")
        ->allow_extra_args(false);
  }

  std::string finish() {
    for (const std::string& text : texts_) {
      if (std::string problem = add(text); !problem.empty()) return problem;
    }
    return {};
  }

  std::vector<plan::ProgramRequest> take() { return std::move(programs_); }

 private:
  std::string add(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return std::format("--program: '{}' is not NAME=FILE,FILE,...", text);
    }
    plan::ProgramRequest request = {.name = text.substr(0, equals), .shaders = {}};
    std::istringstream files(text.substr(equals + 1));
    for (std::string file; std::getline(files, file, ',');) {
      if (!file.empty()) request.shaders.push_back(file);
    }
    if (request.shaders.empty()) return std::format("--program: '{}' names no file", text);
    programs_.push_back(std::move(request));
    return {};
  }

  std::vector<std::string> texts_;
  std::vector<plan::ProgramRequest> programs_;
};

class MapArguments {
 public:
  MapArguments(CLI::App& app, bool rewrite) : shaders_(app), programs_(app) {
    options_.rewrite = rewrite;
    if (rewrite) {
      app.add_option("--base", base_,
                     "how shaders know where regions begin: sizes, from those of descriptors, or "
                     "specialization, from constants that the application sets")
          ->capture_default_str()
          ->check(CLI::IsMember({"sizes", "specialization"}));
    }
    app.add_option("-o,--output", options_.outputFolder,
                   "folder for the SPIR-V and manifest.json; '-': SPIR-V to standard output")
        ->required();
    app.add_option("--policy", options_.policyFile, "policy file (JSON)");
    app.add_option("--manifest", options_.manifestFile, "where to write the manifest");
    app.add_option("--header", options_.headerFile, "write the manifest as a C++ header too");
    app.add_flag("!--no-structs", options_.headerStructs,
                 "leave the blocks' structs out of the header");
    app.add_option("--math-types", options_.mathTypes,
                   "types of vectors and matrices in those structs: glm, directxmath, or a file");
    app.add_option("--namespace", options_.headerNamespace, "namespace of the C++ header")
        ->capture_default_str();
    app.add_flag("-O,--optimize", optimize_,
                 "run spirv-opt over the shaders first; all slots stay where they are without it");
    app.add_option("--check-profile", options_.profiles,
                   "fail if the layout does not fit this device; may be repeated")
        ->allow_extra_args(false);
    app.add_flag("--explain", options_.explain,
                 "print how each table and binding is reached, and why");
    app.add_option("--report", options_.reportFiles,
                   "write what became of each shader and what the application has to do; JSON if "
                   "the name ends in .json; '-': text to standard output; may be repeated")
        ->allow_extra_args(false);
    if (rewrite) {
      app.add_option("--emit", emit_,
                     "spirv, or glsl: GL_EXT_descriptor_heap sources of what was rewritten, beside "
                     "the SPIR-V; default: spirv")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->check(CLI::IsMember({"spirv", "glsl"}));
    }
    app.add_flag("--write-depfile", write_depfile_,
                 "(-MD) write a dependency file, OUTPUT/depfile.d");
    app.add_option("--depfile", options_.dependencyFile, "(-MF) write a dependency file here");
    app.add_option("--depfile-target", options_.dependencyTargets,
                   "(-MT) what the dependency file's rule is for; default: all outputs")
        ->allow_extra_args(false);
  }

  std::string finish() {
    if (std::string problem = shaders_.finish(); !problem.empty()) return problem;
    if (std::string problem = programs_.finish(); !problem.empty()) return problem;
    if (!emit::is_cpp_namespace(options_.headerNamespace)) {
      return std::format("--namespace: '{}' is no C++ namespace", options_.headerNamespace);
    }
    return finish_outputs();
  }

  driver::MapOptions take() {
    options_.shaders = shaders_.take();
    options_.shaders.optimize = optimize_;
    options_.programs = programs_.take();
    if (base_ == "specialization") options_.regionBases = RegionBases::Specialization;
    return std::move(options_);
  }

 private:
  std::string finish_outputs() {
    options_.emitGlsl = std::ranges::contains(emit_, "glsl");
    if (options_.policyFile == "-" && shaders_.reads_standard_input()) {
      return "standard input is named twice";
    }
    const bool to_standard_output = options_.outputFolder == "-";
    if (to_standard_output && options_.emitGlsl) {
      return "--emit glsl writes files of its own: -o - has no place for them";
    }
    if (to_standard_output && options_.explain) {
      return "--explain prints to standard output, which -o - needs";
    }
    if (to_standard_output && std::ranges::contains(options_.reportFiles, "-")) {
      return "--report - prints to standard output, which -o - needs";
    }
    if (to_standard_output && shaders_.input_count() != 1) {
      return "-o -: standard output takes one shader";
    }
    for (const std::string& file :
         {options_.headerFile, options_.manifestFile, options_.dependencyFile}) {
      if (file == "-") return "only the SPIR-V can go to standard output, with -o -";
    }
    const bool wants_depfile = write_depfile_ || !options_.dependencyFile.empty();
    if (wants_depfile && to_standard_output && options_.dependencyTargets.empty()) {
      return "-o - has no file name for the dependency file's rule: give one with -MT";
    }
    if (write_depfile_ && options_.dependencyFile.empty()) {
      if (to_standard_output) return "-MD with -o - needs -MF";
      options_.dependencyFile = options_.outputFolder + "/depfile.d";
    }
    return {};
  }

  ShaderArguments shaders_;
  ProgramArguments programs_;
  driver::MapOptions options_;
  std::string base_ = "sizes";
  std::vector<std::string> emit_;
  bool write_depfile_ = false;
  bool optimize_ = false;
};

class LintArguments {
 public:
  explicit LintArguments(CLI::App& app) : shaders_(app), programs_(app) {
    app.add_option("--policy", options_.policyFile, "policy file (JSON), for shaders");
    app.add_option("--mappings", options_.mappingsFile,
                   "mapping structures of your own (JSON), for shaders");
    app.add_option("--profile", options_.profiles,
                   "built-in device profile, or a file; default: what Vulkan guarantees")
        ->allow_extra_args(false);
    app.add_flag("--all-profiles", options_.allProfiles, "every built-in device profile");
  }

  std::string finish() {
    if (std::string problem = shaders_.finish(); !problem.empty()) return problem;
    if (std::string problem = programs_.finish(); !problem.empty()) return problem;
    options_.shaders = shaders_.take();
    options_.programs = programs_.take();
    const auto is_manifest = [](const std::string& path) { return path.ends_with(".json"); };
    const bool manifest = std::ranges::any_of(options_.shaders.inputs, is_manifest);
    if (manifest && options_.shaders.inputs.size() != 1) return "a manifest is linted alone";
    const bool shaders_only = !options_.policyFile.empty() || !options_.mappingsFile.empty() ||
                              !options_.programs.empty();
    if (manifest && shaders_only) return "--policy, --mappings and --program are for shaders";
    const bool both = !options_.policyFile.empty() && !options_.mappingsFile.empty();
    if (both) return "--mappings take the place of a policy's";
    return {};
  }

  driver::LintOptions take() { return std::move(options_); }

 private:
  ShaderArguments shaders_;
  ProgramArguments programs_;
  driver::LintOptions options_;
};

class PolicyArguments {
 public:
  explicit PolicyArguments(CLI::App& app)
      : init_(*app.add_subcommand("init", "write a policy to start from, for these shaders")),
        shaders_(init_),
        programs_(init_) {
    app.require_subcommand(1);
    init_.add_option("-o,--output", options_.outputFile, "file to write; default: standard output");
  }

  std::string finish() {
    if (std::string problem = shaders_.finish(); !problem.empty()) return problem;
    if (std::string problem = programs_.finish(); !problem.empty()) return problem;
    options_.shaders = shaders_.take();
    options_.programs = programs_.take();
    return {};
  }

  driver::StartingPolicyOptions take() { return std::move(options_); }

 private:
  CLI::App& init_;
  ShaderArguments shaders_;
  ProgramArguments programs_;
  driver::StartingPolicyOptions options_;
};

class ReflectArguments {
 public:
  explicit ReflectArguments(CLI::App& app) : shaders_(app) {
    app.add_option("-o,--output", command_.outputFile, "file to write instead");
    app.add_option("--format", format_, "text or json")
        ->capture_default_str()
        ->check(CLI::IsMember({"text", "json"}));
  }

  std::string finish() { return shaders_.finish(); }

  ReflectCommand take() {
    command_.shaders = shaders_.take();
    command_.format =
        format_ == "text" ? driver::ReflectionFormat::Text : driver::ReflectionFormat::Json;
    return std::move(command_);
  }

 private:
  ShaderArguments shaders_;
  ReflectCommand command_;
  std::string format_ = "json";
};

class ResolveArguments {
 public:
  explicit ResolveArguments(CLI::App& app) {
    app.add_option("MANIFEST", command_.manifestFile, "manifest.json")->required();
    app.add_option("--profile", command_.profile, "built-in device profile, or a file")->required();
    app.add_option("--format", format_, "text or json")
        ->capture_default_str()
        ->check(CLI::IsMember({"text", "json"}));
  }

  static std::string finish() { return {}; }

  driver::ResolveCommand take() {
    command_.json = format_ == "json";
    return std::move(command_);
  }

 private:
  driver::ResolveCommand command_;
  std::string format_ = "text";
};

class ProfilesArguments {
 public:
  explicit ProfilesArguments(CLI::App&) {}
  static std::string finish() { return {}; }
  static ProfilesCommand take() { return {}; }
};

// A command with its options. Those are made only where the command line has the command's name
// among its words: making them for all commands takes longer than rewriting a shader.
template <typename Arguments>
class Subcommand {
 public:
  Subcommand(CLI::App& parent, const std::vector<std::string>& words, const char* name,
             const char* description, auto... more)
      : app_(*parent.add_subcommand(name, description)) {
    if (std::ranges::contains(words, name)) arguments_.emplace(app_, more...);
  }

  // Sets the command if it is this one. Gives what is wrong with its options, if anything is.
  std::string finish(Command& command) {
    if (!app_.parsed()) return {};
    std::string problem = arguments_->finish();
    command = arguments_->take();
    return problem;
  }

 private:
  CLI::App& app_;
  std::optional<Arguments> arguments_;
};

Finished usage_error(const std::string& text) {
  return {kUsageError, {}, std::format("heapsmith: {}\nRun heapsmith --help for usage.\n", text)};
}

// CLI11 prints help and errors itself, and says so by throwing.
Finished finished(const CLI::App& app, const CLI::ParseError& outcome) {
  std::ostringstream output;
  std::ostringstream error;
  const int code = app.exit(outcome, output, error);
  return {code == 0 ? 0 : kUsageError, output.str(), error.str()};
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  if (const auto wrong = expand(arguments, words)) return {.command = usage_error(*wrong)};

  CLI::App app("heapsmith moves Vulkan shaders from descriptor sets to descriptor heaps.",
               "heapsmith");
  app.set_version_flag("--version", "heapsmith " HEAPSMITH_VERSION);
  app.footer(kExamples);
  app.require_subcommand(1);
  app.fallthrough();
  Options options;
  app.add_flag("--json-diagnostics", options.jsonDiagnostics,
               "print diagnostics as JSON, one a line");

  Subcommand<MapArguments> map(
      app, words, "map", "map legacy shaders onto descriptor heaps: SPIR-V and a manifest", false);
  Subcommand<MapArguments> rewrite(
      app, words, "rewrite",
      "rewrite legacy shaders to read descriptor heaps by themselves, with the same "
      "manifest",
      true);
  Subcommand<LintArguments> lint(app, words, "lint",
                                 "check mappings by Vulkan's rules: a manifest.json, or shaders");
  Subcommand<PolicyArguments> policy(app, words, "policy", "work with policies");
  Subcommand<ReflectArguments> reflect(app, words, "reflect", "print shaders' interfaces");
  Subcommand<ResolveArguments> resolve(app, words, "resolve",
                                       "print a manifest's offsets and strides for one device");
  Subcommand<ProfilesArguments> profiles(app, words, "profiles",
                                         "list the built-in device profiles");

  try {
    std::ranges::reverse(words);  // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::ParseError& outcome) {
    return {.command = finished(app, outcome)};
  }
  std::string problem;
  const auto finish = [&](auto&... subcommands) {
    ((problem += subcommands.finish(options.command)), ...);
  };
  finish(map, rewrite, lint, policy, reflect, resolve, profiles);
  if (!problem.empty()) options.command = usage_error(problem);
  return options;
}

}  // namespace heapsmith::cli
