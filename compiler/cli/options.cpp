// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <format>
#include <fstream>
#include <iterator>
#include <map>
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

const std::map<std::string, spirv::TargetEnvironment> kTargets = {
    {"vulkan1.0", spirv::TargetEnvironment::Vulkan10},
    {"vulkan1.1", spirv::TargetEnvironment::Vulkan11},
    {"vulkan1.1spv1.4", spirv::TargetEnvironment::Vulkan11Spirv14},
    {"vulkan1.2", spirv::TargetEnvironment::Vulkan12},
    {"vulkan1.3", spirv::TargetEnvironment::Vulkan13},
    {"vulkan1.4", spirv::TargetEnvironment::Vulkan14},
};

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
    if (!target_.empty()) options_.target = kTargets.at(target_);
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
  MapArguments(CLI::App& parent, const char* name, const char* description, bool rewrite)
      : app_(*parent.add_subcommand(name, description)), shaders_(app_), programs_(app_) {
    options_.rewrite = rewrite;
    if (rewrite) {
      app_.add_option("--base", base_,
                      "how shaders know where regions begin: sizes, from those of descriptors, or "
                      "specialization, from constants that the application sets")
          ->capture_default_str()
          ->check(CLI::IsMember({"sizes", "specialization"}));
    }
    app_.add_option("-o,--output", options_.outputFolder,
                    "folder for the SPIR-V and manifest.json; '-': SPIR-V to standard output")
        ->required();
    app_.add_option("--policy", options_.policyFile, "policy file (JSON)");
    app_.add_option("--manifest", options_.manifestFile, "where to write the manifest");
    app_.add_option("--header", options_.headerFile, "write the manifest as a C++ header too");
    app_.add_flag("!--no-structs", options_.headerStructs,
                  "leave the blocks' structs out of the header");
    app_.add_option("--math-types", options_.mathTypes,
                    "types of vectors and matrices in those structs: glm, directxmath, or a file");
    app_.add_option("--namespace", options_.headerNamespace, "namespace of the C++ header")
        ->capture_default_str();
    app_.add_flag("-O,--optimize", optimize_,
                  "run spirv-opt over the shaders before anything is decided; what it finds unused "
                  "gets no slots");
    app_.add_option("--check-profile", options_.profiles,
                    "fail if the layout does not fit this device; may be repeated")
        ->allow_extra_args(false);
    app_.add_flag("--explain", options_.explain,
                  "print how each table and binding is reached, and why");
    app_.add_option("--report", options_.reportFiles,
                    "write what became of each shader and what the application has to do; JSON if "
                    "the name ends in .json; '-': text to standard output; may be repeated")
        ->allow_extra_args(false);
    if (rewrite) {
      app_.add_option(
              "--emit", emit_,
              "spirv, or glsl: GL_EXT_descriptor_heap sources of what was rewritten, beside "
              "the SPIR-V; default: spirv")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->check(CLI::IsMember({"spirv", "glsl"}));
    }
    app_.add_flag("--write-depfile", write_depfile_,
                  "(-MD) write a dependency file, OUTPUT/depfile.d");
    app_.add_option("--depfile", options_.dependencyFile, "(-MF) write a dependency file here");
    app_.add_option("--depfile-target", options_.dependencyTargets,
                    "(-MT) what the dependency file's rule is for; default: all outputs")
        ->allow_extra_args(false);
  }

  bool chosen() const { return app_.parsed(); }

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

  CLI::App& app_;
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
  explicit LintArguments(CLI::App& parent)
      : app_(*parent.add_subcommand(
            "lint", "check mappings by Vulkan's rules: a manifest.json, or shaders")),
        shaders_(app_),
        programs_(app_) {
    app_.add_option("--policy", options_.policyFile, "policy file (JSON), for shaders");
    app_.add_option("--mappings", options_.mappingsFile,
                    "mapping structures of your own (JSON), for shaders");
    app_.add_option("--profile", options_.profiles,
                    "built-in device profile, or a file; default: what Vulkan guarantees")
        ->allow_extra_args(false);
    app_.add_flag("--all-profiles", options_.allProfiles, "every built-in device profile");
  }

  bool chosen() const { return app_.parsed(); }

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
  CLI::App& app_;
  ShaderArguments shaders_;
  ProgramArguments programs_;
  driver::LintOptions options_;
};

class PolicyArguments {
 public:
  explicit PolicyArguments(CLI::App& parent)
      : app_(*parent.add_subcommand("policy", "work with policies")),
        init_(*app_.add_subcommand("init", "write a policy to start from, for these shaders")),
        shaders_(init_),
        programs_(init_) {
    app_.require_subcommand(1);
    init_.add_option("-o,--output", options_.outputFile, "file to write; default: standard output");
  }

  bool chosen() const { return app_.parsed(); }

  std::string finish() {
    if (std::string problem = shaders_.finish(); !problem.empty()) return problem;
    if (std::string problem = programs_.finish(); !problem.empty()) return problem;
    options_.shaders = shaders_.take();
    options_.programs = programs_.take();
    return {};
  }

  driver::StartingPolicyOptions take() { return std::move(options_); }

 private:
  CLI::App& app_;
  CLI::App& init_;
  ShaderArguments shaders_;
  ProgramArguments programs_;
  driver::StartingPolicyOptions options_;
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
  CLI::App app("heapsmith moves Vulkan shaders from descriptor sets to descriptor heaps.",
               "heapsmith");
  app.set_version_flag("--version", "heapsmith " HEAPSMITH_VERSION);
  app.footer(kExamples);
  app.require_subcommand(1);
  app.fallthrough();
  bool json_diagnostics = false;
  app.add_flag("--json-diagnostics", json_diagnostics, "print diagnostics as JSON, one a line");

  MapArguments map(app, "map", "map legacy shaders onto descriptor heaps: SPIR-V and a manifest",
                   false);
  MapArguments rewrite(
      app, "rewrite",
      "rewrite legacy shaders to read descriptor heaps by themselves, with the same "
      "manifest",
      true);
  LintArguments lint(app);
  PolicyArguments policy(app);
  CLI::App& reflect_app = *app.add_subcommand("reflect", "print shaders' interfaces");
  ShaderArguments reflect_shaders(reflect_app);
  ReflectCommand reflect;
  reflect_app.add_option("-o,--output", reflect.outputFile, "file to write instead");
  std::string reflect_format = "json";
  reflect_app.add_option("--format", reflect_format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));

  CLI::App& resolve_app =
      *app.add_subcommand("resolve", "print a manifest's offsets and strides for one device");
  driver::ResolveCommand resolve;
  std::string format = "text";
  resolve_app.add_option("MANIFEST", resolve.manifestFile, "manifest.json")->required();
  resolve_app.add_option("--profile", resolve.profile, "built-in device profile, or a file")
      ->required();
  resolve_app.add_option("--format", format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));

  CLI::App& profiles_app = *app.add_subcommand("profiles", "list the built-in device profiles");

  Options options;
  std::vector<std::string> expanded;
  if (const auto wrong = expand(arguments, expanded)) {
    options.command = usage_error(*wrong);
    return options;
  }
  try {
    std::ranges::reverse(expanded);  // CLI11 takes them from the back
    app.parse(expanded);
  } catch (const CLI::ParseError& outcome) {
    options.command = finished(app, outcome);
    return options;
  }
  options.jsonDiagnostics = json_diagnostics;

  std::string problem;
  if (map.chosen()) {
    problem = map.finish();
    options.command = map.take();
  } else if (rewrite.chosen()) {
    problem = rewrite.finish();
    options.command = rewrite.take();
  } else if (lint.chosen()) {
    problem = lint.finish();
    options.command = lint.take();
  } else if (policy.chosen()) {
    problem = policy.finish();
    options.command = policy.take();
  } else if (reflect_app.parsed()) {
    problem = reflect_shaders.finish();
    reflect.shaders = reflect_shaders.take();
    reflect.format =
        reflect_format == "text" ? driver::ReflectionFormat::Text : driver::ReflectionFormat::Json;
    options.command = std::move(reflect);
  } else if (resolve_app.parsed()) {
    resolve.json = format == "json";
    options.command = std::move(resolve);
  } else if (profiles_app.parsed()) {
    options.command = ProfilesCommand();
  }
  if (!problem.empty()) options.command = usage_error(problem);
  return options;
}

}  // namespace heapsmith::cli
