// SPDX-License-Identifier: MIT
#include "driver/decide.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "input/policy_json.h"
#include "input/read_file.h"
#include "layout/pack_fields.h"
#include "mapping/build_mappings.h"
#include "reflect/merge_blocks.h"

namespace heapsmith::driver {
namespace {

class State {
 public:
  State(std::span<const LoadedShader> shaders, std::span<const std::string> files,
        Diagnostics& diagnostics)
      : shaders_(shaders), files_(files), diagnostics_(diagnostics) {}

  Diagnosed<MergedPrograms> merge_programs(std::span<const plan::ProgramRequest> requests,
                                           const plan::Policy& policy) {
    auto groups =
        plan::group_programs(module_names(), all_requests(requests, policy), diagnostics_);
    if (!groups) return std::unexpected(groups.error());
    MergedPrograms merged = {
        .groups = std::move(*groups), .programs = {}, .blocks = merge_blocks()};
    auto programs = merge(merged.groups, merged.blocks);
    if (!programs) return std::unexpected(programs.error());
    merged.programs = std::move(*programs);
    return merged;
  }

  Diagnosed<emit::ManifestContent> run(std::span<const plan::ProgramRequest> requests,
                                       const plan::Policy& policy) {
    auto merged = merge_programs(requests, policy);
    if (!merged) return std::unexpected(merged.error());
    emit::ManifestContent content;
    content.blocks = std::move(merged->blocks);
    content.structNames = emit::struct_names(content.blocks);
    if (!plan_and_pack(merged->programs, policy, content)) return diagnostics_.failed();
    for (size_t p = 0; p < merged->groups.size(); ++p) {
      content.programs.push_back({.shaders = emitted_shaders(merged->groups[p], content.blocks),
                                  .mappings = mapping::build_mappings(
                                      content.plan, content.plan.programs[p], content.fields)});
    }
    return content;
  }

 private:
  std::vector<plan::ModuleName> module_names() const {
    std::vector<plan::ModuleName> names;
    for (const LoadedShader& shader : shaders_) {
      names.push_back({.path = shader.path,
                       .fileName = shader.name.fileName,
                       .stem = shader.name.stem,
                       .interface = &shader.declarations()});
    }
    return names;
  }

  static std::vector<plan::ProgramRequest> all_requests(
      std::span<const plan::ProgramRequest> wanted, const plan::Policy& policy) {
    std::vector<plan::ProgramRequest> requests(wanted.begin(), wanted.end());
    std::set<std::string_view> named;
    for (const plan::ProgramRequest& request : wanted)
      named.insert(request.name);
    for (const auto& [name, files] : policy.programs) {
      if (!named.contains(name)) requests.push_back({name, files, policy.file});
    }
    return requests;
  }

  reflect::MergedBlocks merge_blocks() {
    std::vector<uint32_t> order(shaders_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](uint32_t shader) { return files_[shader]; });
    std::vector<const reflect::ShaderInterface*> interfaces;
    rank_.resize(shaders_.size());
    for (const uint32_t shader : order) {
      rank_[shader] = static_cast<uint32_t>(interfaces.size());
      interfaces.push_back(&shaders_[shader].declarations());
    }
    return reflect::merge_blocks(interfaces);
  }

  Diagnosed<std::vector<plan::NamedProgram>> merge(const std::vector<plan::ProgramGroup>& groups,
                                                   const reflect::MergedBlocks& blocks) {
    std::vector<plan::NamedProgram> programs;
    for (const plan::ProgramGroup& group : groups) {
      std::vector<reflect::ShaderUse> uses;
      for (const plan::ProgramShader shader : group.shaders) {
        const LoadedShader& module = shaders_[shader.module];
        uses.push_back({&module.declarations(), shader.entryPoint, input::shown_path(module.path),
                        blocks.indices[rank_[shader.module]]});
      }
      auto merged = reflect::merge_stages(uses, diagnostics_);
      if (merged) programs.push_back({group.name, std::move(*merged)});
    }
    if (programs.size() != groups.size()) return diagnostics_.failed();
    return programs;
  }

  // What is chosen automatically gives way, step by step, until the push data fits. Only the last
  // attempt is reported.
  bool plan_and_pack(const std::vector<plan::NamedProgram>& programs, const plan::Policy& policy,
                     emit::ManifestContent& content) {
    for (auto squeeze = plan::Squeeze::Nothing;;
         squeeze = static_cast<plan::Squeeze>(static_cast<int>(squeeze) + 1)) {
      Diagnostics attempt;
      auto heap_plan = plan::plan_heaps(programs, policy, squeeze, attempt);
      const bool planned = heap_plan.has_value();
      if (planned) {
        content.plan = std::move(*heap_plan);
        if (auto fields = layout::pack_fields(content.plan, attempt)) {
          content.fields = std::move(*fields);
          diagnostics_.append(std::move(attempt));
          return true;
        }
      }
      if (planned && squeeze != plan::kMostSqueezed) continue;
      diagnostics_.append(std::move(attempt));
      return false;
    }
  }

  std::vector<emit::EmittedShader> emitted_shaders(const plan::ProgramGroup& group,
                                                   const reflect::MergedBlocks& blocks) const {
    std::vector<emit::EmittedShader> emitted;
    for (const plan::ProgramShader shader : group.shaders) {
      const LoadedShader& module = shaders_[shader.module];
      const reflect::ShaderInterface& interface = module.declarations();
      const reflect::EntryPoint& entry_point = interface.entryPoints[shader.entryPoint];
      emitted.push_back(
          {.file = files_[shader.module],
           .entryPoint = entry_point.name,
           .stage = entry_point.stage,
           .specializationConstants = interface.specializationConstants,
           .pushConstants =
               entry_point.pushConstants
                   ? blocks.indices[rank_[shader.module]][entry_point.pushConstants->block]
                   : reflect::kNoType,
           .module = shader.module,
           .heapAccesses = heap_accesses(interface, entry_point)});
    }
    return emitted;
  }

  static std::vector<reflect::HeapAccess> heap_accesses(const reflect::ShaderInterface& interface,
                                                        const reflect::EntryPoint& entry_point) {
    std::vector<reflect::HeapAccess> accesses;
    for (const uint32_t access : entry_point.heapAccesses)
      accesses.push_back(interface.heapAccesses[access]);
    return accesses;
  }

  std::span<const LoadedShader> shaders_;
  std::span<const std::string> files_;
  Diagnostics& diagnostics_;
  std::vector<uint32_t> rank_;  // parallel to shaders_: place in the order of files_
};

}  // namespace

Diagnosed<plan::Policy> read_policy(const std::string& path, Diagnostics& diagnostics) {
  if (path.empty()) return plan::Policy();
  const auto text = input::read_file(path, diagnostics);
  if (!text) return std::unexpected(text.error());
  return input::parse_policy(*text, input::shown_path(path), diagnostics);
}

Diagnosed<MergedPrograms> merge_programs(std::span<const LoadedShader> shaders,
                                         std::span<const std::string> files,
                                         std::span<const plan::ProgramRequest> requests,
                                         const plan::Policy& policy, Diagnostics& diagnostics) {
  return State(shaders, files, diagnostics).merge_programs(requests, policy);
}

Diagnosed<emit::ManifestContent> decide(std::span<const LoadedShader> shaders,
                                        std::span<const std::string> files,
                                        std::span<const plan::ProgramRequest> requests,
                                        const plan::Policy& policy, Diagnostics& diagnostics) {
  return State(shaders, files, diagnostics).run(requests, policy);
}

}  // namespace heapsmith::driver
