// SPDX-License-Identifier: MIT
#include "driver/lint.h"

#include <algorithm>
#include <filesystem>
#include <format>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/sha256.h"
#include "check/findings.h"
#include "check/lint_heap_accesses.h"
#include "check/lint_program.h"
#include "driver/decide.h"
#include "driver/heap_strides.h"
#include "emit/make_manifest.h"
#include "heapsmith/manifest_json.h"
#include "heapsmith/resolve.h"
#include "input/device_profile.h"
#include "input/mappings_json.h"
#include "input/read_file.h"
#include "layout/check_limits.h"
#include "mapping/vulkan_mapping.h"

namespace heapsmith::driver {
namespace {

// Every device has at least this: the layout that needs most, and the smallest maxima.
constexpr const char* kGuaranteedProfile = "spec_worst_case";

bool is_manifest(const std::string& path) {
  return path.ends_with(".json");
}

class Linter {
 public:
  Linter(const LintOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  Diagnosed<void> run() {
    if (!load_devices()) return diagnostics_.failed();
    const std::vector<std::string>& inputs = options_.shaders.inputs;
    const bool linted = std::ranges::any_of(inputs, is_manifest) ? lint_manifest_file()
                        : options_.mappingsFile.empty()          ? lint_policy()
                                                                 : lint_own_mappings();
    findings_.report(devices_.size(), diagnostics_);
    if (!linted || diagnostics_.has_errors()) return diagnostics_.failed();
    return {};
  }

 private:
  bool load_devices() {
    std::vector<std::string> names = options_.profiles;
    if (options_.allProfiles) {
      for (const std::string_view name : input::built_in_profiles())
        names.emplace_back(name);
    }
    if (names.empty()) names.emplace_back(kGuaranteedProfile);
    for (const std::string& name : names) {
      const auto profile = input::load_device_profile(name, diagnostics_);
      if (profile) devices_.push_back({profile->name, profile->limits});
    }
    return devices_.size() == names.size();
  }

  std::optional<std::vector<LoadedShader>> load(const ShaderOptions& options) {
    auto shaders = load_shaders(options, diagnostics_);
    if (!shaders) return std::nullopt;
    return std::move(*shaders);
  }

  // What `heapsmith map` would make of the shaders.
  bool lint_policy() {
    const auto policy = read_policy(options_.policyFile, diagnostics_);
    if (!policy) return false;
    const auto shaders = load(options_.shaders);
    if (!shaders) return false;
    std::vector<std::string> files;
    for (const LoadedShader& shader : *shaders)
      files.push_back(input::shown_path(shader.path));
    const auto content = decide(*shaders, files, options_.programs, *policy, diagnostics_);
    if (!content) return false;
    const ManifestStorage storage = emit::make_manifest(*content);
    // In the order of the manifest's shaders, which are entry points of the modules.
    std::map<std::string, const LoadedShader*> by_file;
    for (size_t i = 0; i < shaders->size(); ++i)
      by_file[files[i]] = &(*shaders)[i];
    lint_features(*shaders);
    lint_own_reads(*shaders);
    return lint_manifest(storage.manifest, by_file);
  }

  bool lint_manifest(const Manifest& manifest,
                     const std::map<std::string, const LoadedShader*>& by_file) {
    bool fits = layout::check_slot_counts(manifest, diagnostics_).has_value();
    for (const check::LintedDevice& device : devices_) {
      const auto layout = resolve(manifest, device.limits);
      if (!layout) {
        findings_.add(Severity::Error, Code::HeapLimit, {}, layout.error().text, device.name);
        fits = false;
        continue;
      }
      for (const Program& program : manifest.programs) {
        const auto mappings = mapping::vulkan_mappings(manifest, *layout, program);
        check::lint_program(linted_shaders(manifest, program, by_file), mappings, device, {},
                            findings_);
      }
    }
    return fits;
  }

  // A module may have more entry points than the program uses.
  static std::vector<check::LintedShader> linted_shaders(
      const Manifest& manifest, const Program& program,
      const std::map<std::string, const LoadedShader*>& by_file) {
    std::vector<check::LintedShader> linted;
    for (const Shader& shader :
         manifest.shaders.subspan(program.shaders.first, program.shaders.count)) {
      const LoadedShader& module = *by_file.at(std::string(shader.file));
      for (uint32_t e = 0; e < module.interface.entryPoints.size(); ++e) {
        const reflect::EntryPoint& entry_point = module.interface.entryPoints[e];
        if (entry_point.name == shader.entryPoint && entry_point.stage == shader.stage)
          linted.push_back({&module.interface, e, input::shown_path(module.path)});
      }
    }
    return linted;
  }

  // Somebody's mapping structures, for every entry point of the shaders.
  bool lint_own_mappings() {
    const auto text = input::read_file(options_.mappingsFile, diagnostics_);
    if (!text) return false;
    const std::string file = input::shown_path(options_.mappingsFile);
    const auto mappings = input::parse_mappings(*text, file, diagnostics_);
    if (!mappings) return false;
    const auto shaders = load(options_.shaders);
    if (!shaders) return false;
    lint_features(*shaders);
    lint_own_reads(*shaders);
    std::vector<check::LintedShader> linted;
    for (const LoadedShader& module : *shaders) {
      for (uint32_t e = 0; e < module.interface.entryPoints.size(); ++e)
        linted.push_back({&module.interface, e, input::shown_path(module.path)});
    }
    for (const check::LintedDevice& device : devices_)
      check::lint_program(linted, *mappings, device, file, findings_);
    return true;
  }

  // A manifest names its shaders, which lie beside it.
  bool lint_manifest_file() {
    const std::string& path = options_.shaders.inputs.front();
    const Place place = {.file = input::shown_path(path)};
    const auto text = input::read_file(path, diagnostics_);
    if (!text) return false;
    const auto loaded = load_manifest_json(*text);
    if (!loaded) {
      diagnostics_.error(Code::InvalidManifest, place, loaded.error().text);
      return false;
    }
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    ShaderOptions options = options_.shaders;
    options.inputs.clear();
    std::map<std::string, size_t> index;
    for (const Shader& shader : loaded->manifest.shaders) {
      if (index.emplace(shader.file, options.inputs.size()).second)
        options.inputs.push_back((folder / std::string(shader.file)).generic_string());
    }
    const auto shaders = load(options);
    if (!shaders) return false;
    std::map<std::string, const LoadedShader*> by_file;
    for (const auto& [file, i] : index)
      by_file[file] = &(*shaders)[i];
    lint_features(*shaders);
    lint_own_reads(*shaders);
    if (!check_hashes(loaded->manifest, by_file)) return false;
    return lint_manifest(loaded->manifest, by_file);
  }

  bool check_hashes(const Manifest& manifest,
                    const std::map<std::string, const LoadedShader*>& by_file) {
    bool same = true;
    for (const Shader& shader : manifest.shaders) {
      const LoadedShader& module = *by_file.at(std::string(shader.file));
      if (sha256_hex(std::as_bytes(std::span(module.words))) == shader.sha256) continue;
      diagnostics_.error(Code::StaleShader, {.file = input::shown_path(module.path)},
                         "is not the file that the manifest was made for: map it again");
      same = false;
    }
    return same;
  }

  void lint_own_reads(const std::vector<LoadedShader>& shaders) {
    std::vector<StrideCheck> strides;
    for (const LoadedShader& shader : shaders)
      strides.emplace_back(shader, options_.shaders);
    for (const check::LintedDevice& device : devices_)
      for (StrideCheck& check : strides)
        lint_own_reads(check, device);
  }

  // What our own checks find they say better; spirv-val sees more, nested arrays above all.
  void lint_own_reads(StrideCheck& strides, const check::LintedDevice& device) {
    const LoadedShader& shader = strides.shader();
    const std::string file = input::shown_path(shader.path);
    if (!check::lint_heap_accesses(shader.interface, file, device, findings_)) return;
    if (const auto& wrong = strides.find_wrong(device.limits))
      findings_.add(Severity::Error, Code::HeapStride, {.file = file}, *wrong, device.name);
  }

  // One note a shader: what the device must have enabled.
  void lint_features(const std::vector<LoadedShader>& shaders) {
    for (const LoadedShader& shader : shaders) {
      std::string list;
      for (const reflect::RequiredFeature& required : shader.interface.requiredFeatures) {
        if (!list.empty()) list += ", ";
        for (size_t i = 0; i < required.features.size(); ++i)
          list += std::format("{}{}", i == 0 ? "" : " or ", required.features[i]);
      }
      if (!list.empty())
        diagnostics_.note(Code::FeatureNeeded, {.file = input::shown_path(shader.path)},
                          std::format("needs the device features {}", list));
    }
  }

  const LintOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<check::LintedDevice> devices_;
  check::Findings findings_;
};

}  // namespace

Diagnosed<void> lint(const LintOptions& options, Diagnostics& diagnostics) {
  return Linter(options, diagnostics).run();
}

}  // namespace heapsmith::driver
