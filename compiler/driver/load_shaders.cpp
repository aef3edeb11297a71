// SPDX-License-Identifier: MIT
#include "driver/load_shaders.h"

#include <algorithm>
#include <format>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "driver/in_parallel.h"
#include "input/read_file.h"
#include "reflect/reflect_module.h"
#include "spirv/assemble.h"
#include "spirv/optimize.h"
#include "spirv/parse.h"

namespace heapsmith::driver {
namespace {

bool is_spirv(std::string_view bytes) {
  return bytes.starts_with(std::string_view("\x03\x02\x23\x07", 4)) ||
         bytes.starts_with(std::string_view("\x07\x23\x02\x03", 4));
}

// The version in the comment that a disassembler writes, "; Version: 1.3"; else the newest, as
// spirv-as does.
uint32_t assembly_version(std::string_view text) {
  constexpr std::string_view kKey = "; Version: 1.";
  const size_t at = text.find(kKey);
  if (at == std::string_view::npos || at + kKey.size() >= text.size()) return 0x00010600;
  const char minor = text[at + kKey.size()];
  return minor >= '0' && minor <= '6' ? 0x00010000 | uint32_t(minor - '0') << 8 : 0x00010600;
}

// Takes from `before` what the optimised module no longer uses. Entry points keep their order.
void forget_unused(reflect::ShaderInterface& before, const reflect::ShaderInterface& after) {
  HEAPSMITH_CHECK(before.entryPoints.size() == after.entryPoints.size());
  for (size_t e = 0; e < before.entryPoints.size(); ++e) {
    std::set<std::tuple<uint32_t, uint32_t, DescriptorType>> used;
    for (const uint32_t index : after.entryPoints[e].usedResources) {
      const reflect::Resource& resource = after.resources[index];
      used.emplace(resource.set, resource.binding, resource.type);
    }
    std::erase_if(before.entryPoints[e].usedResources, [&](uint32_t index) {
      const reflect::Resource& resource = before.resources[index];
      return !used.contains({resource.set, resource.binding, resource.type});
    });
  }
}

// Loads one input.
class Loader {
 public:
  Loader(const std::string& path, const ShaderOptions& options, Diagnostics& diagnostics)
      : path_(path),
        shown_(input::shown_path(path)),
        options_(options),
        diagnostics_(diagnostics) {}

  Diagnosed<LoadedShader> run() {
    shader_.path = path_;
    shader_.name = input::parse_shader_name(path_);
    const auto bytes = input::read_file(path_, diagnostics_);
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->empty()) {
      return diagnostics_.error(Code::EmptyInput, {.file = shown_}, "the file is empty");
    }
    if (is_spirv(*bytes) || path_.ends_with(".spv")) return load_spirv(*bytes);
    if (path_.ends_with(".spvasm")) return load_assembly(*bytes);
    return load_source(*bytes);
  }

 private:
  Diagnosed<LoadedShader> load_spirv(std::string_view bytes) {
    return analyse(std::as_bytes(std::span(bytes)), Code::InvalidSpirv, {});
  }

  Diagnosed<LoadedShader> load_assembly(std::string_view text) {
    const auto words =
        spirv::assemble(text, {.version = assembly_version(text)}, shown_, diagnostics_);
    if (!words) return std::unexpected(words.error());
    return analyse(std::as_bytes(std::span(*words)), Code::InvalidSpirv, {});
  }

  Diagnosed<LoadedShader> load_source(std::string_view text) {
    const auto stage = options_.stage ? options_.stage : shader_.name.stage;
    if (!stage) {
      return diagnostics_.error(
          Code::NotAShader, {.file = shown_},
          "neither SPIR-V nor a file whose extension names a shader stage; give it with --stage");
    }
    const input::SourceOptions source_options = {
        .includeFolders = options_.includeFolders,
        .defines = options_.defines,
        .target = options_.target.value_or(spirv::TargetEnvironment::Vulkan13),
        .debugInfo = options_.debugInfo};
    auto compiled = input::compile_glsl(text, path_, *stage, source_options, diagnostics_);
    if (!compiled) return std::unexpected(compiled.error());
    shader_.includes = std::move(compiled->includes);
    return analyse(std::as_bytes(std::span(compiled->words)), Code::FrontEndInvalidSpirv,
                   compiled->unsizedArrays);
  }

  // Our own checks come before spirv-val's: they name the variable and say what to do.
  Diagnosed<LoadedShader> analyse(std::span<const std::byte> bytes, Code invalid,
                                  std::span<const std::string> unsized_arrays) {
    const auto module = spirv::parse_module(bytes, shown_, diagnostics_);
    if (!module) return std::unexpected(module.error());
    auto interface = reflect::reflect_module(*module, shown_, diagnostics_);
    if (!interface) return std::unexpected(interface.error());
    shader_.words.assign(module->words().begin(), module->words().end());
    if (!check_valid(invalid, environment(invalid))) return diagnostics_.failed();
    const bool reads_heaps = interface->usesResourceHeap || interface->usesSamplerHeap;
    if (options_.optimize && !reads_heaps) {
      auto optimized = optimize(environment(invalid));
      if (!optimized) return std::unexpected(optimized.error());
      shader_.declared = std::move(*interface);
      forget_unused(*shader_.declared, *optimized);
      interface = std::move(optimized);
    }
    warn_of_implicit_sizes(*interface, unsized_arrays);
    shader_.interface = std::move(*interface);
    return std::move(shader_);
  }

  // Any layout that some device takes is an input we take; which features it needs is the
  // application's affair.
  Diagnosed<void> check_valid(Code invalid, spirv::TargetEnvironment environment) {
    if (!options_.validate) return {};
    const spirv::ValidationOptions validation = {.environment = environment,
                                                 .scalarBlockLayout = true};
    return spirv::validate_module(shader_.words, validation, shown_, invalid, diagnostics_);
  }

  spirv::TargetEnvironment environment(Code invalid) const {
    return options_.target.value_or(invalid == Code::FrontEndInvalidSpirv
                                        ? spirv::TargetEnvironment::Vulkan13
                                        : spirv::TargetEnvironment::Vulkan14);
  }

  // What is rewritten; decisions go by what the shader was before.
  Diagnosed<reflect::ShaderInterface> optimize(spirv::TargetEnvironment environment) {
    auto words = spirv::optimize_module(shader_.words, environment, shown_, diagnostics_);
    if (!words) return std::unexpected(words.error());
    shader_.words = std::move(*words);
    const auto module =
        spirv::parse_module(std::as_bytes(std::span(shader_.words)), shown_, diagnostics_);
    if (!module) return std::unexpected(module.error());
    if (!check_valid(Code::OptimizerFailed, environment)) return diagnostics_.failed();
    return reflect::reflect_module(*module, shown_, diagnostics_);
  }

  void warn_of_implicit_sizes(const reflect::ShaderInterface& interface,
                              std::span<const std::string> unsized_arrays) {
    for (const reflect::Resource& resource : interface.resources) {
      if (resource.arrayKind != ArrayKind::Fixed) continue;
      if (std::ranges::find(unsized_arrays, resource.name) == unsized_arrays.end()) continue;
      diagnostics_.warning(
          Code::ImplicitArraySize,
          {.file = shown_,
           .resource = resource.name,
           .set = resource.set,
           .binding = resource.binding},
          std::format("'{}' has no size in the source; the front end made it {} from its largest "
                      "constant index",
                      resource.name, resource.count));
    }
  }

  const std::string& path_;
  std::string shown_;
  const ShaderOptions& options_;
  Diagnostics& diagnostics_;
  LoadedShader shader_;
};

}  // namespace

Diagnosed<std::vector<LoadedShader>> load_shaders(const ShaderOptions& options,
                                                  Diagnostics& diagnostics) {
  std::vector<std::optional<LoadedShader>> loaded(options.inputs.size());
  in_parallel(loaded.size(), options.threads, diagnostics, [&](size_t i, Diagnostics& said) {
    auto shader = Loader(options.inputs[i], options, said).run();
    if (shader) loaded[i] = std::move(*shader);
  });
  std::vector<LoadedShader> shaders;
  for (auto& shader : loaded)
    if (shader) shaders.push_back(std::move(*shader));
  if (shaders.size() != loaded.size()) return diagnostics.failed();
  return shaders;
}

}  // namespace heapsmith::driver
