// SPDX-License-Identifier: MIT
#include "driver/map.h"

#include <algorithm>
#include <filesystem>
#include <format>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <system_error>

#include "base/sha256.h"
#include "check/explain.h"
#include "check/own_heap_reads.h"
#include "driver/decide.h"
#include "driver/heap_strides.h"
#include "driver/in_parallel.h"
#include "driver/report_migration.h"
#include "driver/rewrite_shaders.h"
#include "emit/depfile.h"
#include "emit/make_manifest.h"
#include "emit/manifest_header.h"
#include "emit/manifest_json.h"
#include "emit/write_files.h"
#include "heapsmith/resolve.h"
#include "input/device_profile.h"
#include "input/math_types_json.h"
#include "input/read_file.h"
#include "layout/check_limits.h"
#include "plan/math_types.h"

namespace heapsmith::driver {
namespace {

class Mapper {
 public:
  Mapper(const MapOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  Diagnosed<Printed> run() {
    const auto policy = read_policy(options_.policyFile, diagnostics_);
    if (!policy) return std::unexpected(policy.error());
    if (!read_math_types()) return diagnostics_.failed();
    auto shaders = load_shaders(options_.shaders, diagnostics_);
    if (!shaders) return std::unexpected(shaders.error());
    shaders_ = std::move(*shaders);
    if (!check_heap_strides(shaders_, options_.shaders, diagnostics_)) return diagnostics_.failed();
    if (!name_outputs()) return diagnostics_.failed();

    std::vector<std::string> files;
    for (const std::string& name : output_names_)
      files.push_back((folder_in_manifest_ / name).generic_string());
    auto content = decide(shaders_, files, options_.programs, *policy, diagnostics_);
    if (!content) return std::unexpected(content.error());
    if (!make_outputs(files, *content)) return diagnostics_.failed();
    hash_outputs(*content);
    const ManifestStorage storage = emit::make_manifest(*content);
    if (!check(storage.manifest)) return diagnostics_.failed();
    check_own_heap_reads(storage.manifest);
    auto printed = write(*content, storage.manifest);
    if (printed && options_.explain)
      printed->bytes.insert(0, check::explain_text(content->plan, content->fields));
    return printed;
  }

 private:
  bool read_math_types() {
    if (options_.mathTypes.empty()) return true;
    if (const plan::MathTypes* known = plan::find_math_types(options_.mathTypes)) {
      math_types_ = *known;
      return true;
    }
    const auto text = input::read_file(options_.mathTypes, diagnostics_);
    if (!text) return false;
    auto read = input::parse_math_types(*text, input::shown_path(options_.mathTypes), diagnostics_);
    if (read) math_types_ = std::move(*read);
    return read.has_value();
  }

  // "knot.vert" becomes "knot.vert.spv"; SPIR-V keeps its name. A manifest holds no ':', which is
  // a drive's on some systems.
  static std::string output_name(const input::ShaderName& name) {
    std::string file = name.fileName;
    std::ranges::replace(file, ':', '_');
    if (file.ends_with(".spvasm")) file.resize(file.size() - 3);
    return file.ends_with(".spv") ? file : file + ".spv";
  }

  // Names all outputs, and sees to it that none would replace another one, or an input.
  bool name_outputs() {
    manifest_file_ = options_.manifestFile.empty() && !to_standard_output()
                         ? in_output_folder("manifest.json")
                         : options_.manifestFile;
    for (const LoadedShader& shader : shaders_) {
      output_names_.push_back(output_name(shader.name));
      claim_shader(output_names_.back(), shader.path);
    }
    // SPIR-V may be written over itself if it does not change; nothing else over an input.
    for (const LoadedShader& shader : shaders_)
      owners_.emplace(identity(shader.path), std::format("the input '{}'", shader.path));
    if (!options_.policyFile.empty()) owners_.emplace(identity(options_.policyFile), "the policy");
    claim(manifest_file_, "the manifest");
    claim(options_.headerFile, "the header");
    claim(options_.dependencyFile, "the dependency file");
    for (const std::string& report : options_.reportFiles) {
      if (report != "-") claim(report, "the report");
    }
    folder_in_manifest_ = folder_in_manifest();
    return !diagnostics_.has_errors();
  }

  void claim_shader(const std::string& name, const std::string& path) {
    const auto [shader, is_new] = shader_of_output_.emplace(name, path);
    if (!is_new) {
      diagnostics_.error(Code::OutputCollision, {.file = input::shown_path(path)},
                         std::format("would be written to '{}', and so would '{}'", name,
                                     input::shown_path(shader->second)));
    } else if (!to_standard_output()) {
      const std::string written = identity(in_output_folder(name));
      owners_.emplace(written, std::format("the SPIR-V of '{}'", input::shown_path(path)));
      const bool changes = options_.rewrite || options_.shaders.optimize;
      if (changes && written == identity(path)) {
        diagnostics_.error(Code::OutputCollision, {.file = input::shown_path(path)},
                           std::format("would be overwritten by its own {} form",
                                       options_.rewrite ? "rewritten" : "optimized"));
      }
    }
  }

  void claim(const std::string& path, std::string_view what) {
    std::error_code ignored;
    if (path.empty() || std::filesystem::is_character_file(path, ignored)) return;
    const auto [owner, is_new] = owners_.emplace(identity(path), what);
    if (is_new) return;
    diagnostics_.error(Code::OutputCollision, {.file = path},
                       std::format("{} would replace {}", what, owner->second));
  }

  // One name for a file, however it is spelt. weakly_canonical() leaves a path relative that does
  // not exist yet.
  static std::string identity(const std::string& path) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    const auto whole = std::filesystem::weakly_canonical(absolute, error);
    return error ? path : whole.generic_string();
  }

  // The output folder as seen from the manifest's.
  std::filesystem::path folder_in_manifest() const {
    if (options_.manifestFile.empty() || to_standard_output()) return {};
    std::error_code ignored;
    const auto from = std::filesystem::absolute(options_.manifestFile, ignored).parent_path();
    const std::filesystem::path folder(identity(options_.outputFolder));
    const auto relative = folder.lexically_relative(identity(from.string()));
    return relative == "." ? std::filesystem::path() : relative;
  }

  // The shaders as they were, or rewritten.
  bool make_outputs(const std::vector<std::string>& files, emit::ManifestContent& content) {
    if (options_.rewrite) {
      content.regionBases = options_.regionBases;
      auto rewritten =
          rewrite_shaders(shaders_, options_.shaders, options_.emitGlsl, content, diagnostics_);
      if (!rewritten) return false;
      outputs_ = std::move(*rewritten);
      return claim_further_forms(files);
    }
    for (size_t i = 0; i < shaders_.size(); ++i)
      outputs_.push_back(
          {.shader = static_cast<uint32_t>(i), .file = files[i], .words = shaders_[i].words});
    return true;
  }

  // The manifest names what is written, and by which hash. Once each: programs may share a shader.
  void hash_outputs(emit::ManifestContent& content) {
    std::vector<std::string> hashes(outputs_.size());
    in_parallel(outputs_.size(), options_.shaders.threads, diagnostics_,
                [&](size_t i, Diagnostics&) {
                  hashes[i] = sha256_hex(std::as_bytes(std::span(outputs_[i].words)));
                });
    std::map<std::string_view, std::string_view> hash_of;
    for (size_t i = 0; i < outputs_.size(); ++i)
      hash_of.emplace(outputs_[i].file, hashes[i]);
    for (emit::EmittedProgram& program : content.programs)
      for (emit::EmittedShader& shader : program.shaders)
        shader.sha256 = hash_of.at(shader.file);
  }

  // A module that became several files, or GLSL too, has more names than its input claimed.
  bool claim_further_forms(const std::vector<std::string>& files) {
    for (const OutputModule& output : outputs_) {
      for (const OutputText& glsl : output.glsl)
        claim(in_output_folder_of(glsl.file), std::format("the GLSL of '{}'", output.file));
      if (std::ranges::contains(files, output.file)) continue;
      if (to_standard_output()) {
        diagnostics_.error(Code::OutputCollision, {.file = input::shown_path(shaders_[0].path)},
                           "becomes several files, and standard output takes one");
        return false;
      }
      claim(in_output_folder_of(output.file), std::format("a further form, '{}',", output.file));
    }
    return !diagnostics_.has_errors();
  }

  // A file's place, whose name is as the manifest sees it.
  std::string in_output_folder_of(const std::string& file) const {
    const std::filesystem::path name = std::filesystem::path(file).filename();
    return in_output_folder(name.generic_string());
  }

  bool check(const Manifest& manifest) {
    bool fits = layout::check_slot_counts(manifest, diagnostics_).has_value();
    for (const std::string& name : options_.profiles) {
      const auto profile = input::load_device_profile(name, diagnostics_);
      fits = profile && layout::check_limits(manifest, profile->limits, name, diagnostics_) && fits;
    }
    return fits;
  }

  void check_own_heap_reads(const Manifest& manifest) {
    const auto slots = assign_slots(manifest);  // check() has seen that it can
    for (const LoadedShader& shader : shaders_)
      check::check_own_heap_reads(shader.interface, input::shown_path(shader.path), manifest,
                                  *slots, diagnostics_);
  }

  bool to_standard_output() const { return options_.outputFolder == "-"; }

  std::string in_output_folder(const std::string& file) const {
    return (std::filesystem::path(options_.outputFolder) / file).generic_string();
  }

  Diagnosed<Printed> write(const emit::ManifestContent& content, const Manifest& manifest) {
    std::vector<emit::OutputFile> files;
    Printed printed;
    for (const OutputModule& output : outputs_) {
      const std::string_view bytes(reinterpret_cast<const char*>(output.words.data()),
                                   output.words.size() * sizeof(uint32_t));
      if (to_standard_output()) {
        printed.bytes = bytes;
      } else {
        files.push_back({in_output_folder_of(output.file), std::string(bytes)});
      }
      for (const OutputText& glsl : output.glsl)
        files.push_back({in_output_folder_of(glsl.file), glsl.text});
    }
    const auto slots = assign_slots(manifest);  // check() has seen that it can
    if (!manifest_file_.empty()) {
      files.push_back({manifest_file_, emit::manifest_json(content, manifest, *slots)});
    }
    if (!options_.headerFile.empty()) {
      files.push_back(
          {options_.headerFile,
           emit::manifest_header(manifest, options_.headerNamespace, structs(content))});
    }
    if (!write_reports(content, manifest, *slots, files, printed)) return diagnostics_.failed();
    if (!options_.dependencyFile.empty()) files.push_back(dependency_file(files));
    const auto written = emit::write_files(
        files, to_standard_output() ? std::string() : options_.outputFolder, diagnostics_);
    if (!written) return std::unexpected(written.error());
    return printed;
  }

  bool write_reports(const emit::ManifestContent& content, const Manifest& manifest,
                     const SlotLayout& slots, std::vector<emit::OutputFile>& files,
                     Printed& printed) {
    if (options_.reportFiles.empty()) return true;
    const auto migration = Migration::compare(shaders_, outputs_, diagnostics_);
    if (!migration) return false;
    const auto report = migration->report(content, manifest, slots);
    for (const std::string& file : options_.reportFiles) {
      const bool is_json = file.ends_with(".json");
      std::string text = is_json ? emit::migration_json(report) : emit::migration_text(report);
      if (file == "-")
        printed.bytes += text;
      else
        files.push_back({file, std::move(text)});
    }
    return true;
  }

  emit::HeaderStructs structs(const emit::ManifestContent& content) const {
    if (!options_.headerStructs) return {};
    return {emit::block_structs(content.blocks, content.structNames, math_types_),
            math_types_.includes};
  }

  emit::OutputFile dependency_file(const std::vector<emit::OutputFile>& files) const {
    std::vector<std::string> targets = options_.dependencyTargets;
    if (targets.empty()) {
      for (const emit::OutputFile& file : files)
        targets.push_back(file.path);
    }
    std::vector<std::string> inputs;
    std::set<std::string> known = {"-"};
    const auto add = [&](const std::string& path) {
      if (known.insert(path).second) inputs.push_back(path);
    };
    for (const LoadedShader& shader : shaders_) {
      add(shader.path);
      for (const std::string& include : shader.includes)
        add(include);
    }
    if (!options_.policyFile.empty()) add(options_.policyFile);
    const bool has_type_map =
        !options_.mathTypes.empty() && plan::find_math_types(options_.mathTypes) == nullptr;
    if (has_type_map) add(options_.mathTypes);
    for (const std::string& profile : options_.profiles) {
      if (!std::ranges::contains(input::built_in_profiles(), profile)) add(profile);
    }
    return {options_.dependencyFile, emit::depfile(targets, inputs)};
  }

  const MapOptions& options_;
  Diagnostics& diagnostics_;
  plan::MathTypes math_types_;
  std::vector<LoadedShader> shaders_;
  std::vector<std::string> output_names_;  // parallel to shaders_
  std::vector<OutputModule> outputs_;
  std::string manifest_file_;  // empty: none
  std::filesystem::path folder_in_manifest_;
  std::map<std::string, std::string> shader_of_output_;
  std::map<std::string, std::string> owners_;  // who reads or writes a file, by identity()
};

}  // namespace

Diagnosed<Printed> map(const MapOptions& options, Diagnostics& diagnostics) {
  return Mapper(options, diagnostics).run();
}

}  // namespace heapsmith::driver
