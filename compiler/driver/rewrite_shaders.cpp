// SPDX-License-Identifier: MIT
#include "driver/rewrite_shaders.h"

#include <algorithm>
#include <format>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/sha256.h"
#include "heapsmith/resolve.h"
#include "input/read_file.h"
#include "rewrite/rewrite_module.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

namespace heapsmith::driver {
namespace {

// Sizes of buffer, image and sampler descriptors: those of AMD's older and newer devices, of
// Intel's, and the largest.
constexpr uint32_t kDescriptorSizes[][3] = {
    {16, 64, 16}, {16, 32, 16}, {64, 64, 32}, {128, 64, 32}};

class State {
 public:
  State(std::span<const LoadedShader> shaders, emit::ManifestContent& content, bool validate,
        Diagnostics& diagnostics)
      : shaders_(shaders),
        content_(content),
        validate_(validate),
        diagnostics_(diagnostics),
        storage_(emit::make_manifest(content)) {}

  Diagnosed<std::vector<OutputModule>> run() {
    auto slots = assign_slots(storage_.manifest);
    if (!slots) return diagnostics_.error(Code::TooManySlots, {}, slots.error().text);
    slots_ = std::move(*slots);
    for (size_t p = 0; p < content_.programs.size(); ++p)
      rewrite_program(p);
    if (failed_) return diagnostics_.failed();
    return std::move(outputs_);
  }

 private:
  const Manifest& manifest() const { return storage_.manifest; }

  void rewrite_program(size_t index) {
    const rewrite::Placements placements = place(content_.plan.programs[index]);
    emit::EmittedProgram& program = content_.programs[index];
    for (emit::EmittedShader& shader : program.shaders)
      rewrite_shader(shader, placements, content_.plan.programs[index].name);
    std::erase_if(program.mappings,
                  [&](const Mapping& mapping) { return is_rewritten(mapping, placements); });
  }

  rewrite::Placements place(const plan::PlannedProgram& program) const {
    rewrite::Placements placements;
    placements.regions.imageSlots.value =
        static_cast<uint32_t>(slots_.regionSlots[static_cast<size_t>(DescriptorClass::Image)]);
    for (const plan::PlannedUse& use : program.uses) {
      const plan::PlannedTable& table = content_.plan.tables[use.table];
      placements.bindings.push_back(place_binding(table, table.firstBinding + use.binding));
    }
    std::ranges::sort(placements.bindings, {}, [](const rewrite::Placement& placement) {
      return std::pair(placement.set, placement.binding);
    });
    return placements;
  }

  rewrite::Placement place_binding(const plan::PlannedTable& planned, uint32_t index) const {
    const Binding& binding = manifest().bindings[index];
    const Table& table = manifest().tables[binding.table];
    rewrite::Placement placement = {.set = table.set,
                                    .binding = binding.binding,
                                    .resource = std::nullopt,
                                    .sampler = std::nullopt};
    const bool by_slot =
        table.residence == Residence::Static ||
        ((table.residence == Residence::Indexed || table.residence == Residence::Indirect) &&
         !planned.packedIndex);
    const bool by_variable = binding.type == DescriptorType::InputAttachment ||
                             binding.type == DescriptorType::TensorARM ||
                             binding.slotsPerElement != 1;
    if (!by_slot || by_variable || !is_table_residence(binding.residence)) return placement;
    if (is_resource(binding.type)) {
      placement.resource = locate(resource_slot(manifest(), slots_, {index}), table.indexField,
                                  binding.table, descriptor_class(binding.type));
    }
    if (has_sampler_slots(binding)) {
      const bool in_tuples = binding.samplerPlacement == SamplerPlacement::Table;
      placement.sampler = locate(sampler_slot(manifest(), slots_, {index}),
                                 in_tuples ? table.samplerIndexField : kNone, binding.table,
                                 DescriptorClass::Sampler);
    }
    return placement;
  }

  rewrite::Location locate(uint64_t slot, uint32_t field, uint32_t table,
                           DescriptorClass descriptor_class) const {
    rewrite::Location location = {.firstSlot = static_cast<uint32_t>(slot)};
    if (field == kNone) return location;
    const Field& word = manifest().fields[field];
    if (word.space == FieldSpace::Indirect) {
      const IndirectBlock& block = manifest().indirectBlocks[word.block];
      location.source = rewrite::InstanceSource::IndirectWord;
      location.pushOffset = manifest().fields[block.addressField].offset;
      location.addressOffset = word.offset;
    } else {
      location.source = rewrite::InstanceSource::PushWord;
      location.pushOffset = word.offset;
    }
    location.slotsPerInstance = static_cast<uint32_t>(
        slots_.tables[table].slotsPerInstance[static_cast<size_t>(descriptor_class)]);
    return location;
  }

  // A variable is rewritten if all that it needs has a place.
  static bool is_rewritten(const Mapping& mapping, const rewrite::Placement& placement) {
    const bool resource = mapping.part == MappingPart::Sampler || placement.resource.has_value();
    const bool sampler = mapping.part == MappingPart::Resource || placement.sampler.has_value();
    return resource && sampler;
  }
  bool is_rewritten(const Mapping& mapping, const rewrite::Placements& placements) const {
    const std::pair key(mapping.set, manifest().bindings[mapping.binding].binding);
    const auto found = std::ranges::lower_bound(
        placements.bindings, key, {},
        [](const rewrite::Placement& p) { return std::pair(p.set, p.binding); });
    HEAPSMITH_CHECK(found != placements.bindings.end());
    return is_rewritten(mapping, *found);
  }

  // What a rewritten module depends on, as text.
  static std::string key_of(const rewrite::Placements& placements) {
    std::string key = std::format("{}", placements.regions.imageSlots.value);
    const auto add = [&](const std::optional<rewrite::Location>& location) {
      if (!location) {
        key += ",-";
        return;
      }
      key += std::format(",{}/{}/{}/{}/{}", location->firstSlot, static_cast<int>(location->source),
                         location->pushOffset, location->addressOffset, location->slotsPerInstance);
    };
    for (const rewrite::Placement& placement : placements.bindings) {
      key += std::format(";{}:{}", placement.set, placement.binding);
      add(placement.resource);
      add(placement.sampler);
    }
    return key;
  }

  // What of a program's placements the module's own variables need.
  static rewrite::Placements restrict_to(const rewrite::Placements& placements,
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

  void rewrite_shader(emit::EmittedShader& shader, const rewrite::Placements& all,
                      const std::string& program) {
    const LoadedShader& module = shaders_[shader.module];
    const rewrite::Placements placements = restrict_to(all, module.interface);
    const auto [known, is_new] =
        known_.emplace(std::pair(shader.module, key_of(placements)), outputs_.size());
    if (is_new) {
      outputs_.push_back({.file = file_name(shader.file, program), .words = {}});
      if (!rewrite_words(module, placements, outputs_.back().words)) failed_ = true;
    }
    const OutputModule& output = outputs_[known->second];
    shader.rewritten = output.words != module.words;
    shader.file = output.file;
    shader.sha256 = sha256_hex(std::as_bytes(std::span(output.words)));
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

  bool rewrite_words(const LoadedShader& module, const rewrite::Placements& placements,
                     std::vector<uint32_t>& words) {
    const std::string shown = input::shown_path(module.path);
    const auto parsed =
        spirv::parse_module(std::as_bytes(std::span(module.words)), shown, diagnostics_);
    if (!parsed) return false;
    auto rewritten =
        rewrite::rewrite_module(*parsed, module.interface, placements, shown, diagnostics_);
    if (!rewritten) return false;
    words = std::move(*rewritten);
    const bool reads_heaps = module.interface.usesResourceHeap || module.interface.usesSamplerHeap;
    if (words == module.words && reads_heaps && module.interface.resources.empty()) {
      diagnostics_.note(Code::AlreadyRewritten, {.file = shown},
                        "reads the heaps already and declares no set and binding: nothing to do");
    }
    if (validate_ && words != module.words) check_valid(words, shown);
    return true;
  }

  // What it says of valid input would be a bug of ours, and never an output.
  static void check_valid(const std::vector<uint32_t>& words, const std::string& shown) {
    for (const auto& [buffer, image, sampler] : kDescriptorSizes) {
      spirv::ValidationOptions options;
      options.scalarBlockLayout = true;
      options.buffer = {.size = buffer, .alignment = buffer};
      options.image = {.size = image, .alignment = image};
      options.sampler = {.size = sampler, .alignment = sampler};
      Diagnostics said;
      if (spirv::validate_module(words, options, shown, Code::InvalidSpirv, said)) continue;
      const std::string text = shown + ", rewritten: " + said.all().front().text;
      internal_error(__FILE_NAME__, __LINE__, text.c_str());
    }
  }

  std::span<const LoadedShader> shaders_;
  emit::ManifestContent& content_;
  bool validate_;
  Diagnostics& diagnostics_;
  ManifestStorage storage_;
  SlotLayout slots_;
  std::map<std::pair<uint32_t, std::string>, size_t> known_;  // index into outputs_
  std::set<std::string> files_;
  std::vector<OutputModule> outputs_;
  bool failed_ = false;
};

}  // namespace

Diagnosed<std::vector<OutputModule>> rewrite_shaders(std::span<const LoadedShader> shaders,
                                                     emit::ManifestContent& content, bool validate,
                                                     Diagnostics& diagnostics) {
  return State(shaders, content, validate, diagnostics).run();
}

}  // namespace heapsmith::driver
