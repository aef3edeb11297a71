// SPDX-License-Identifier: MIT
#include "driver/map.h"

#include <algorithm>
#include <filesystem>
#include <format>
#include <map>
#include <span>
#include <string_view>

#include "base/sha256.h"
#include "emit/depfile.h"
#include "emit/make_manifest.h"
#include "emit/manifest_header.h"
#include "emit/manifest_json.h"
#include "emit/write_files.h"
#include "heapsmith/resolve.h"
#include "input/device_profile.h"
#include "input/policy_json.h"
#include "input/read_file.h"
#include "layout/check_limits.h"
#include "layout/pack_push_data.h"
#include "mapping/build_mappings.h"
#include "plan/plan_heaps.h"

namespace heapsmith::driver {
namespace {

class Mapper {
 public:
  Mapper(const MapOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  Result<Printed> run() {
    const auto policy = read_policy();
    if (!policy) return std::unexpected(policy.error());
    auto shaders = load_shaders(options_.shaders, diagnostics_);
    if (!shaders) return std::unexpected(shaders.error());
    shaders_ = std::move(*shaders);
    if (!name_outputs()) return diagnostics_.failed();

    const auto content = decide(*policy);
    if (!content) return std::unexpected(content.error());
    const ManifestStorage storage = emit::make_manifest(*content);
    if (!check(storage.manifest)) return diagnostics_.failed();
    return write(*content, storage.manifest);
  }

 private:
  Result<plan::Policy> read_policy() {
    if (options_.policyFile.empty()) return plan::Policy();
    const auto text = input::read_file(options_.policyFile, diagnostics_);
    if (!text) return std::unexpected(text.error());
    return input::parse_policy(*text, input::shown_path(options_.policyFile), diagnostics_);
  }

  // "knot.vert" becomes "knot.vert.spv"; SPIR-V keeps its name.
  static std::string output_name(const input::ShaderName& name) {
    std::string file = name.fileName;
    if (file.ends_with(".spvasm")) file.resize(file.size() - 3);
    return file.ends_with(".spv") ? file : file + ".spv";
  }

  bool name_outputs() {
    std::map<std::string, std::string> owners;
    for (const LoadedShader& shader : shaders_) {
      output_names_.push_back(output_name(shader.name));
      const auto [owner, is_new] = owners.emplace(output_names_.back(), shader.path);
      if (is_new) continue;
      diagnostics_.error(Code::OutputCollision, {.file = shader.path},
                         std::format("would be written to '{}', and so would '{}'",
                                     output_names_.back(), owner->second));
    }
    return !diagnostics_.has_errors();
  }

  // Everything between reflection and bytes.
  Result<emit::ManifestContent> decide(const plan::Policy& policy) {
    const auto groups =
        plan::group_programs(module_names(), program_requests(policy), diagnostics_);
    if (!groups) return std::unexpected(groups.error());
    const auto programs = merge(*groups);
    if (!programs) return std::unexpected(programs.error());

    emit::ManifestContent content;
    auto heap_plan = plan::plan_heaps(*programs, policy, diagnostics_);
    if (!heap_plan) return std::unexpected(heap_plan.error());
    content.plan = std::move(*heap_plan);
    auto fields = layout::pack_push_data(content.plan, diagnostics_);
    if (!fields) return std::unexpected(fields.error());
    content.pushFields = std::move(*fields);
    for (size_t p = 0; p < groups->size(); ++p) {
      content.programs.push_back({.shaders = emitted_shaders((*groups)[p]),
                                  .mappings = mapping::build_mappings(
                                      content.plan, content.plan.programs[p], content.pushFields)});
    }
    return content;
  }

  std::vector<plan::ModuleName> module_names() const {
    std::vector<plan::ModuleName> names;
    for (const LoadedShader& shader : shaders_) {
      names.push_back({.path = shader.path,
                       .fileName = shader.name.fileName,
                       .stem = shader.name.stem,
                       .interface = &shader.interface});
    }
    return names;
  }

  // The command line's programs, then those of the policy that it does not name.
  std::vector<plan::ProgramRequest> program_requests(const plan::Policy& policy) const {
    std::vector<plan::ProgramRequest> requests = options_.programs;
    for (const auto& [name, files] : policy.programs) {
      if (!std::ranges::contains(requests, name, &plan::ProgramRequest::name)) {
        requests.push_back({name, files});
      }
    }
    return requests;
  }

  Result<std::vector<plan::NamedProgram>> merge(const std::vector<plan::ProgramGroup>& groups) {
    std::vector<plan::NamedProgram> programs;
    for (const plan::ProgramGroup& group : groups) {
      std::vector<reflect::ShaderUse> uses;
      for (const plan::ProgramShader shader : group.shaders) {
        const LoadedShader& module = shaders_[shader.module];
        uses.push_back({&module.interface, shader.entryPoint, input::shown_path(module.path)});
      }
      auto merged = reflect::merge_stages(uses, diagnostics_);
      if (merged) programs.push_back({group.name, std::move(*merged)});
    }
    if (programs.size() != groups.size()) return diagnostics_.failed();
    return programs;
  }

  std::vector<emit::EmittedShader> emitted_shaders(const plan::ProgramGroup& group) const {
    std::vector<emit::EmittedShader> emitted;
    for (const plan::ProgramShader shader : group.shaders) {
      const LoadedShader& module = shaders_[shader.module];
      const reflect::EntryPoint& entry_point = module.interface.entryPoints[shader.entryPoint];
      emitted.push_back({.file = output_names_[shader.module],
                         .entryPoint = entry_point.name,
                         .sha256 = sha256_hex(std::as_bytes(std::span(module.words))),
                         .stage = entry_point.stage,
                         .specializationConstants = module.interface.specializationConstants});
    }
    return emitted;
  }

  bool check(const Manifest& manifest) {
    bool fits = layout::check_slot_counts(manifest, diagnostics_).has_value();
    for (const std::string& name : options_.profiles) {
      const auto profile = input::load_device_profile(name, diagnostics_);
      fits = profile && layout::check_limits(manifest, profile->limits, name, diagnostics_) && fits;
    }
    return fits;
  }

  std::string in_output_folder(const std::string& file) const {
    return (std::filesystem::path(options_.outputFolder) / file).generic_string();
  }

  Result<Printed> write(const emit::ManifestContent& content, const Manifest& manifest) {
    const bool to_standard_output = options_.outputFolder == "-";
    std::vector<emit::OutputFile> files;
    Printed printed;
    for (size_t i = 0; i < shaders_.size(); ++i) {
      const std::string_view bytes(reinterpret_cast<const char*>(shaders_[i].words.data()),
                                   shaders_[i].words.size() * sizeof(uint32_t));
      if (to_standard_output) {
        printed.bytes = bytes;
      } else {
        files.push_back({in_output_folder(output_names_[i]), std::string(bytes)});
      }
    }
    const auto slots = assign_slots(manifest);  // check() has seen that it can
    if (!options_.manifestFile.empty() || !to_standard_output) {
      files.push_back({options_.manifestFile.empty() ? in_output_folder("manifest.json")
                                                     : options_.manifestFile,
                       emit::manifest_json(content, manifest, *slots)});
    }
    if (!options_.headerFile.empty()) {
      files.push_back(
          {options_.headerFile, emit::manifest_header(manifest, options_.headerNamespace)});
    }
    if (!options_.dependencyFile.empty()) files.push_back(dependency_file(files));
    const auto written = emit::write_files(
        files, to_standard_output ? std::string() : options_.outputFolder, diagnostics_);
    if (!written) return std::unexpected(written.error());
    return printed;
  }

  emit::OutputFile dependency_file(const std::vector<emit::OutputFile>& files) const {
    std::vector<std::string> targets = options_.dependencyTargets;
    if (targets.empty()) {
      for (const emit::OutputFile& file : files)
        targets.push_back(file.path);
    }
    std::vector<std::string> inputs;
    const auto add = [&](const std::string& path) {
      if (path != "-" && !std::ranges::contains(inputs, path)) inputs.push_back(path);
    };
    for (const LoadedShader& shader : shaders_) {
      add(shader.path);
      for (const std::string& include : shader.includes)
        add(include);
    }
    if (!options_.policyFile.empty()) add(options_.policyFile);
    return {options_.dependencyFile, emit::depfile(targets, inputs)};
  }

  const MapOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<LoadedShader> shaders_;
  std::vector<std::string> output_names_;  // parallel to shaders_
};

}  // namespace

Result<Printed> map(const MapOptions& options, Diagnostics& diagnostics) {
  return Mapper(options, diagnostics).run();
}

}  // namespace heapsmith::driver
