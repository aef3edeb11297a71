// SPDX-License-Identifier: MIT
#include "driver/rewrite_shaders.h"

#include <algorithm>
#include <cstddef>
#include <format>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"
#include "driver/emit_glsl.h"
#include "driver/in_parallel.h"
#include "driver/rewrite_job.h"
#include "driver/warn_of_qualifiers.h"
#include "heapsmith/resolve.h"
#include "input/read_file.h"
#include "rewrite/place_bindings.h"
#include "rewrite/slot_constants.h"
#include "rewrite/why_mapped.h"

namespace heapsmith::driver {
namespace {

// What of a program's placements the module's own variables need.
rewrite::Placements restrict_to(const rewrite::Placements& placements,
                                const reflect::ShaderInterface& interface) {
  std::set<std::pair<uint32_t, uint32_t>> declared;
  for (const reflect::Resource& resource : interface.resources)
    declared.emplace(resource.set, resource.binding);
  rewrite::Placements mine = {.regions = placements.regions, .bindings = {}};
  for (const rewrite::Placement& placement : placements.bindings) {
    if (declared.contains({placement.set, placement.binding})) mine.bindings.push_back(placement);
  }
  return mine;
}

// A variable is rewritten if all that it needs has a place.
bool is_rewritten(const Manifest& manifest, const Mapping& mapping,
                  const rewrite::Placements& placements) {
  const auto* placement =
      rewrite::find_placement(placements, mapping.set, manifest.bindings[mapping.binding].binding);
  HEAPSMITH_CHECK(placement != nullptr);
  const bool resource = mapping.part == MappingPart::Sampler || rewrite::has_resource(*placement);
  const bool sampler = mapping.part == MappingPart::Resource || placement->sampler.has_value();
  return resource && sampler;
}

// What the GLSL is told besides. A shader that lacks a constant passes over what is said of it.
void add_constants(const std::vector<SlotConstant>& further, std::vector<SlotConstant>& constants) {
  for (const SlotConstant& constant : further) {
    if (!std::ranges::contains(constants, constant.specId, &SlotConstant::specId))
      constants.push_back(constant);
  }
  std::ranges::sort(constants, {}, &SlotConstant::specId);
}

// The SpecIds of all shaders.
std::set<uint32_t> spec_ids(std::span<const LoadedShader> shaders) {
  std::set<uint32_t> ids;
  for (const LoadedShader& shader : shaders) {
    for (const reflect::SpecializationConstant& constant : shader.interface.specializationConstants)
      ids.insert(constant.specId);
  }
  return ids;
}

class State {
 public:
  State(std::span<const LoadedShader> shaders, emit::ManifestContent& content)
      : shaders_(shaders), content_(content), storage_(emit::make_manifest(content)) {}

  Diagnosed<std::vector<OutputModule>> run(const ShaderOptions& options, bool emit_glsl,
                                           Diagnostics& diagnostics) {
    const auto slots = assign_slots(manifest());
    if (!slots) return diagnostics.error(Code::TooManySlots, {}, slots.error().text);
    auto constants = rewrite::SlotConstants::choose(manifest(), content_.regionBases,
                                                    spec_ids(shaders_), emit_glsl);
    if (!constants) return diagnostics.error(Code::TooManySlots, {}, constants.error().text);
    constants_ = std::move(*constants);
    const auto numbers =
        emit_glsl ? std::optional(GlslNumbers{&manifest(), &constants_}) : std::nullopt;
    Diagnostics said;
    do {  // what is refused stays mapped, and then something that it is used with may be refused
      said = {};
      plan_programs(*slots, diagnostics);
      if (diagnostics.has_errors()) return diagnostics.failed();
      in_parallel(jobs_.size(), options.threads, said, [&](size_t i, Diagnostics& of_job) {
        driver::run(jobs_[i], options.validate, numbers, of_job);
      });
    } while (note_refusals(diagnostics));
    diagnostics.append(std::move(said));
    if (diagnostics.has_errors()) return diagnostics.failed();
    warn_of_qualifiers(manifest(), content_.plan, jobs_, diagnostics);
    take_mappings_away();
    describe_outputs();
    std::vector<OutputModule> outputs;
    for (RewriteJob& job : jobs_)
      outputs.push_back(std::move(job.output));
    return outputs;
  }

 private:
  const Manifest& manifest() const { return storage_.manifest; }

  void plan_programs(const SlotLayout& slots, Diagnostics& diagnostics) {
    jobs_.clear();
    job_of_shader_.clear();
    forms_.clear();
    files_.clear();
    placements_.clear();
    for (size_t p = 0; p < content_.programs.size(); ++p)
      plan_program(p, slots, diagnostics);
  }

  void plan_program(size_t index, const SlotLayout& slots, Diagnostics& diagnostics) {
    const plan::PlannedProgram& planned = content_.plan.programs[index];
    std::vector<uint32_t> bindings;
    for (const plan::PlannedUse& use : planned.uses)
      bindings.push_back(content_.plan.tables[use.table].firstBinding + use.binding);
    auto placements = rewrite::place_bindings(manifest(), slots, bindings);
    constants_.specialize(manifest(), bindings, placements);
    choose_forms(index, placements, diagnostics);
    for (const emit::EmittedShader& shader : content_.programs[index].shaders)
      plan_shader(shader, restrict_to(placements, shaders_[shader.module].interface), index);
    placements_.push_back(std::move(placements));
  }

  void take_mappings_away() {
    for (size_t p = 0; p < content_.programs.size(); ++p) {
      std::erase_if(content_.programs[p].mappings, [&](const Mapping& mapping) {
        return is_rewritten(manifest(), mapping, placements_[p]);
      });
    }
  }

  // What the policy keeps mapped, or what was refused, loses its place, and what only mappings can
  // serve has none.
  void choose_forms(size_t program, rewrite::Placements& placements, Diagnostics& diagnostics) {
    for (plan::PlannedUse& use : content_.plan.programs[program].uses) {
      const uint32_t index = content_.plan.tables[use.table].firstBinding + use.binding;
      const Binding& binding = manifest().bindings[index];
      const auto refused = refused_.find({program, index});
      rewrite::Placement& placement =
          find(placements, manifest().tables[binding.table].set, binding.binding);
      if (use.form == plan::Form::Mapped || refused != refused_.end()) {
        placement.resource.reset();
        placement.sampler.reset();
        placement.data.reset();
        use.mappedBecause = refused != refused_.end() ? refused->second : "the policy says so";
      } else if (!rewrite::serves(placement, binding.type, use.kinds)) {
        use.mappedBecause = rewrite::why_mapped(manifest(), index);
        if (use.form == plan::Form::Rewritten) refuse(binding, use.mappedBecause, diagnostics);
      }
    }
  }

  static rewrite::Placement& find(rewrite::Placements& placements, uint32_t set, uint32_t binding) {
    const auto* found = rewrite::find_placement(placements, set, binding);
    HEAPSMITH_CHECK(found != nullptr);
    return placements.bindings[static_cast<size_t>(found - placements.bindings.data())];
  }

  // Lets stay mapped what jobs refused, unless the policy wants it rewritten. Returns whether there
  // is anything.
  bool note_refusals(Diagnostics& diagnostics) {
    const size_t before = refused_.size();
    std::set<std::pair<std::string, std::string>> said;  // by jobs of one module
    for (const RewriteJob& job : jobs_) {
      for (const Diagnostic& refusal : job.refused) {
        const bool isNew = said.emplace(refusal.place.file, refusal.text).second;
        bool mayStay = true;
        for (const size_t program : job.programs)
          mayStay &= keep_mapped(program, refusal);
        if (!mayStay)
          diagnostics.error(
              refusal.code, refusal.place,
              refusal.text + " as the policy wants; take \"form\" out, or say \"mapped\"");
        else if (isNew)
          diagnostics.warning(refusal.code, refusal.place, refusal.text + "; it stays mapped");
      }
    }
    const bool isAny =
        std::ranges::any_of(jobs_, [](const RewriteJob& job) { return !job.refused.empty(); });
    HEAPSMITH_CHECK(!isAny || refused_.size() != before);  // or this would never end
    return !diagnostics.has_errors() && isAny;
  }

  // Whether the policy lets it.
  bool keep_mapped(size_t program, const Diagnostic& refusal) {
    for (const plan::PlannedUse& use : content_.plan.programs[program].uses) {
      const uint32_t index = content_.plan.tables[use.table].firstBinding + use.binding;
      const Binding& binding = manifest().bindings[index];
      if (manifest().tables[binding.table].set != refusal.place.set ||
          binding.binding != refusal.place.binding)
        continue;
      const std::string name = std::format("variable '{}': ", refusal.place.resource);
      HEAPSMITH_CHECK(refusal.text.starts_with(name));
      refused_.try_emplace({program, index}, refusal.text.substr(name.size()));
      return use.form != plan::Form::Rewritten;
    }
    HEAPSMITH_UNREACHABLE();
  }

  void refuse(const Binding& binding, const std::string& why, Diagnostics& diagnostics) const {
    diagnostics.error(Code::InvalidPolicy,
                      {.file = content_.plan.policyFile,
                       .resource = std::string(binding.name),
                       .set = manifest().tables[binding.table].set,
                       .binding = binding.binding},
                      std::format("'{}' cannot be rewritten as the policy wants: {}; take \"form\" "
                                  "out, or say \"mapped\"",
                                  binding.name, why));
  }

  void plan_shader(const emit::EmittedShader& shader, rewrite::Placements placements,
                   size_t program) {
    std::vector<size_t>& forms = forms_[shader.module];
    const auto known = std::ranges::find_if(
        forms, [&](size_t job) { return jobs_[job].placements == placements; });
    if (known != forms.end()) {
      job_of_shader_.push_back(*known);
      jobs_[*known].programs.push_back(program);
      add_entry_point(jobs_[*known], shader);
      return;
    }
    job_of_shader_.push_back(jobs_.size());
    forms.push_back(jobs_.size());
    jobs_.push_back(
        {.module = &shaders_[shader.module],
         .placements = std::move(placements),
         .output = {.shader = shader.module,
                    .file = file_name(shader.file, content_.plan.programs[program].name),
                    .words = {}},
         .programs = {program},
         .entryPoints = {},
         .glslConstants = {}});
    add_entry_point(jobs_.back(), shader);
  }

  static void add_entry_point(RewriteJob& job, const emit::EmittedShader& shader) {
    const auto& entryPoints = job.module->interface.entryPoints;
    const auto found = std::ranges::find_if(entryPoints, [&](const reflect::EntryPoint& entry) {
      return entry.name == shader.entryPoint && entry.stage == shader.stage;
    });
    HEAPSMITH_CHECK(found != entryPoints.end());
    const auto index = static_cast<size_t>(found - entryPoints.begin());
    if (!std::ranges::contains(job.entryPoints, index)) job.entryPoints.push_back(index);
  }

  // The second file that a module becomes is named after its program too.
  std::string file_name(const std::string& file, const std::string& program) {
    if (files_.insert(file).second) return file;
    std::string stem = file.ends_with(".spv") ? file.substr(0, file.size() - 4) : file;
    std::string name = std::format("{}.{}.spv", stem, program);
    for (int n = 2; !files_.insert(name).second; ++n)
      name = std::format("{}.{}_{}.spv", stem, program, n);
    return name;
  }

  void describe_outputs() {
    size_t next = 0;
    for (emit::EmittedProgram& program : content_.programs) {
      for (emit::EmittedShader& shader : program.shaders) {
        const RewriteJob& job = jobs_[job_of_shader_[next++]];
        shader.rewritten = job.output.words != job.module->words || reads_only_heaps(*job.module);
        shader.file = job.output.file;
        shader.slotConstants = constants_.declared_by(job.output.words);
        add_constants(job.glslConstants, shader.slotConstants);
      }
    }
  }

  std::span<const LoadedShader> shaders_;
  emit::ManifestContent& content_;
  ManifestStorage storage_;
  rewrite::SlotConstants constants_;
  std::vector<RewriteJob> jobs_;
  std::vector<size_t> job_of_shader_;            // of all programs' shaders, in order
  std::vector<rewrite::Placements> placements_;  // by program
  /// By program and binding: why it stays mapped though the policy does not say so.
  std::map<std::pair<size_t, uint32_t>, std::string> refused_;
  std::map<uint32_t, std::vector<size_t>> forms_;  // jobs by module
  std::set<std::string> files_;
};

}  // namespace

Diagnosed<std::vector<OutputModule>> rewrite_shaders(std::span<const LoadedShader> shaders,
                                                     const ShaderOptions& options, bool emitGlsl,
                                                     emit::ManifestContent& content,
                                                     Diagnostics& diagnostics) {
  return State(shaders, content).run(options, emitGlsl, diagnostics);
}

}  // namespace heapsmith::driver
