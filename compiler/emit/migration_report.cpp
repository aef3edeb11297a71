// SPDX-License-Identifier: MIT
#include "emit/migration_report.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "emit/migration_places.h"
#include "emit/migration_steps.h"

namespace heapsmith::emit {
namespace {

using reflect::Resource;
using reflect::ShaderInterface;

std::vector<std::string> missing_from(const std::vector<std::string>& there,
                                      std::vector<std::string> wanted) {
  std::erase_if(wanted,
                [&](const std::string& word) { return std::ranges::contains(there, word); });
  std::ranges::sort(wanted);
  return wanted;
}

/// Indices into ShaderInterface::resources.
std::set<uint32_t> used_resources(const ShaderInterface& shader) {
  std::set<uint32_t> used;
  for (const reflect::EntryPoint& entryPoint : shader.entryPoints)
    used.insert(entryPoint.usedResources.begin(), entryPoint.usedResources.end());
  return used;
}

struct State {
  const ManifestContent& content;
  const Manifest& manifest;
  const SlotLayout& slots;

  MigratedShader shader(const ModuleForms& forms) const;

 private:
  std::vector<size_t> programs_of(const ModuleForms& forms) const;
  MigratedResource resource(const Resource& declared, bool used, const ShaderInterface& after,
                            const std::vector<size_t>& programs) const;
  [[nodiscard]] const plan::PlannedUse* use_of(const Resource& declared,
                                               const std::vector<size_t>& programs) const;
};

MigratedShader State::shader(const ModuleForms& forms) const {
  MigratedShader shader = {
      .forms = forms,
      .addedCapabilities = missing_from(forms.before->capabilities, forms.after->capabilities),
      .droppedCapabilities = missing_from(forms.after->capabilities, forms.before->capabilities),
      .addedExtensions = missing_from(forms.before->extensions, forms.after->extensions)};
  shader.rewritten = forms.before != forms.after;
  const std::vector<size_t> programs = programs_of(forms);
  for (const size_t program : programs)
    shader.programs.push_back(content.plan.programs[program].name);
  const std::set<uint32_t> used = used_resources(*forms.before);
  for (uint32_t i = 0; i < forms.before->resources.size(); ++i)
    shader.resources.push_back(
        resource(forms.before->resources[i], used.contains(i), *forms.after, programs));
  return shader;
}

std::vector<size_t> State::programs_of(const ModuleForms& forms) const {
  std::vector<size_t> programs;
  for (size_t p = 0; p < content.programs.size(); ++p) {
    if (std::ranges::contains(content.programs[p].shaders, forms.output, &EmittedShader::file))
      programs.push_back(p);
  }
  return programs;
}

MigratedResource State::resource(const Resource& declared, bool used, const ShaderInterface& after,
                                 const std::vector<size_t>& programs) const {
  MigratedResource migrated = {.resource = &declared, .form = ResourceForm::Unused};
  const plan::PlannedUse* use = use_of(declared, programs);
  if (!used || use == nullptr) return migrated;
  const bool isStillThere = std::ranges::any_of(after.resources, [&](const Resource& left) {
    return left.set == declared.set && left.binding == declared.binding;
  });
  migrated.form = isStillThere ? ResourceForm::Mapped : ResourceForm::Rewritten;
  const uint32_t binding = content.plan.tables[use->table].firstBinding + use->binding;
  migrated.place = place_text(manifest, slots, {binding});
  if (isStillThere) migrated.reason = use->mappedBecause;
  return migrated;
}

/// A module that is in several programs finds its bindings at the same places in all of them.
const plan::PlannedUse* State::use_of(const Resource& declared,
                                      const std::vector<size_t>& programs) const {
  for (const size_t program : programs) {
    for (const plan::PlannedUse& use : content.plan.programs[program].uses) {
      const plan::PlannedTable& table = content.plan.tables[use.table];
      if (table.set == declared.set && table.bindings[use.binding].binding == declared.binding)
        return &use;
    }
  }
  return nullptr;
}

}  // namespace

MigrationReport migration_report(const ManifestContent& content, const Manifest& manifest,
                                 const SlotLayout& slots, std::span<const ModuleForms> modules) {
  const State state{.content = content, .manifest = manifest, .slots = slots};
  MigrationReport report;
  for (const ModuleForms& forms : modules)
    report.shaders.push_back(state.shader(forms));
  report.application = migration_steps(manifest, slots, report.shaders);
  return report;
}

std::string_view to_string(ResourceForm form) {
  switch (form) {
    case ResourceForm::Rewritten:
      return "rewritten";
    case ResourceForm::Mapped:
      return "mapped";
    case ResourceForm::Unused:
      return "unused";
  }
  return {};
}

}  // namespace heapsmith::emit
