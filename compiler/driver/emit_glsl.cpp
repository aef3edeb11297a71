// SPDX-License-Identifier: MIT
#include "driver/emit_glsl.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "driver/compare_interfaces.h"
#include "driver/compare_memory.h"
#include "driver/glsl_limits.h"
#include "emit/glsl.h"
#include "emit/migration_places.h"
#include "input/read_file.h"
#include "input/shader_source.h"
#include "reflect/reflect_module.h"
#include "rewrite/array_copies.h"
#include "rewrite/even_widths.h"
#include "rewrite/ordered_loads.h"
#include "rewrite/plain_heap_arrays.h"
#include "rewrite/rewrite_module.h"
#include "spirv/annotations.h"
#include "spirv/editor.h"
#include "spirv/grammar.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

namespace heapsmith::driver {
namespace {

bool is_of_indices(std::string_view feature) {
  return feature.ends_with("ArrayDynamicIndexing") || feature.ends_with("ArrayNonUniformIndexing");
}

// A text, compiled.
struct Compiled {
  spirv::Module module;
  reflect::ShaderInterface interface;
};

// The n-th OpEntryPoint.
spirv::Instruction entry_point(const spirv::Module& module, size_t n) {
  for (const spirv::Instruction instruction : module.declarations())
    if (instruction.op() == spv::Op::OpEntryPoint && n-- == 0) return instruction;
  return {};
}

// Of the first instruction that SPIRV-Cross does not know.
std::optional<uint32_t> unknown_opcode(std::string_view text) {
  constexpr std::string_view kComment = "// unimplemented op ";
  const size_t begin = text.find(kComment);
  if (begin == std::string_view::npos) return std::nullopt;
  uint32_t opcode = 0;
  text.remove_prefix(begin + kComment.size());
  std::from_chars(text.data(), text.data() + text.size(), opcode);
  return opcode;
}

std::string instruction_name(uint32_t opcode) {
  const spirv::InstructionRule* rule = spirv::find_rule(opcode);
  return rule == nullptr ? std::format("opcode {}", opcode) : std::string(rule->name);
}

class Translation {
 public:
  Translation(const LoadedShader& shader, const spirv::Module& module, const GlslNumbers& numbers,
              Diagnostics& diagnostics)
      : shader_(shader),
        module_(module),
        numbers_(numbers),
        shown_(input::shown_path(shader.path)),
        diagnostics_(diagnostics) {}

  Diagnosed<GlslForm> run(rewrite::Placements placements, std::span<const size_t> entry_points,
                          bool validate) {
    if (!check_glsl_limits(shader_.interface, module_, placements, shown_, diagnostics_))
      return diagnostics_.failed();
    numbers_.constants->specialize_sizes(placements);
    const auto words =
        rewrite::rewrite_module(module_, shader_.interface, placements, shown_, diagnostics_);
    if (!words) return std::unexpected(words.error());
    const auto wanted = read(*words);
    if (!wanted) return std::unexpected(wanted.error());
    const auto annotations = annotations_of(wanted->module);
    if (!annotations) return std::unexpected(annotations.error());
    spirv::Editor editor(wanted->module);
    auto qualifiers = rewrite::plain_heap_arrays(editor, *annotations, word_names(placements));
    rewrite::even_widths(editor);
    rewrite::copy_arrays_by_element(editor);
    const std::vector<uint32_t> plain = editor.write();
    GlslForm form = {.texts = {}, .slotConstants = numbers_.constants->declared_by(*words)};
    emit::GlslRequest request = {
        .words = plain,
        .entryPoint = {},
        .qualifiers = std::move(qualifiers),
        .orderedLoads = rewrite::ordered_loads(wanted->module, *annotations),
        .constants = explain(form.slotConstants)};
    for (const size_t i : entry_points) {
      request.entryPoint = wanted->interface.entryPoints[i].name;
      request.executionModel = entry_point(wanted->module, i).word(1);
      auto text = emit::glsl(request, shown_, diagnostics_);
      if (!text) return std::unexpected(text.error());
      if (const auto opcode = unknown_opcode(*text))
        return diagnostics_.error(
            Code::UnsupportedGlsl, {.file = shown_},
            std::format("cannot be written as GLSL: SPIRV-Cross does not know {}",
                        instruction_name(*opcode)));
      if (validate) {
        auto features = check(*text, *wanted, i);
        if (!features) return std::unexpected(features.error());
        if (!features->empty()) {
          request.furtherFeatures = std::move(*features);
          text = emit::glsl(request, shown_, diagnostics_);
          request.furtherFeatures.clear();
        }
      }
      form.texts.push_back(std::move(*text));
    }
    return form;
  }

 private:
  // GLSL has arithmetic for all types that it has, and needs the features of both.
  void warn(std::string_view feature) {
    diagnostics_.warning(
        Code::UnsupportedGlsl, {.file = shown_},
        std::format("its GLSL needs the device feature {}, which the shader does not", feature));
  }

  std::vector<emit::GlslConstant> explain(const std::vector<SlotConstant>& constants) const {
    std::vector<emit::GlslConstant> explained;
    const auto slots = assign_slots(*numbers_.manifest);
    HEAPSMITH_CHECK(slots.has_value());  // or nothing would have been rewritten
    for (const SlotConstant& constant : constants)
      explained.push_back(
          {.specId = constant.specId,
           .meaning = emit::slot_constant_text(*numbers_.manifest, *slots, constant),
           .always = constant.number == SlotNumber::RegionFirstSlot});
    return explained;
  }

  // What the manifest calls the words that its bindings need.
  rewrite::WordNames word_names(const rewrite::Placements& placements) const {
    rewrite::WordNames names;
    for (const Field& field : numbers_.manifest->fields) {
      if (field.space == FieldSpace::Indirect || !serves(field, placements)) continue;
      auto& words = field.space == FieldSpace::PushData ? names.push : names.record;
      const std::string name(field.name);
      words.emplace(field.offset, name);
      if (field.kind == FieldKind::BufferAddress || field.kind == FieldKind::BlockAddress)
        words.emplace(field.offset + sizeof(uint32_t), name + "High");
    }
    return names;
  }

  // Fields of programs that are never used together may share an offset.
  bool serves(const Field& field, const rewrite::Placements& placements) const {
    const Manifest& manifest = *numbers_.manifest;
    if (field.kind == FieldKind::BlockAddress) return true;
    return std::ranges::any_of(placements.bindings, [&](const rewrite::Placement& placement) {
      if (field.binding == kNone) return manifest.tables[field.table].set == placement.set;
      const Binding& binding = manifest.bindings[field.binding];
      return manifest.tables[binding.table].set == placement.set &&
             binding.binding == placement.binding;
    });
  }

  Diagnosed<Compiled> read(std::span<const uint32_t> words) {
    auto module = spirv::parse_module(std::as_bytes(words), shown_, diagnostics_);
    if (!module) return std::unexpected(module.error());
    auto interface = reflect::reflect_module(*module, shown_, diagnostics_);
    if (!interface) return std::unexpected(interface.error());
    return Compiled{std::move(*module), std::move(*interface)};
  }

  Diagnosed<spirv::Annotations> annotations_of(const spirv::Module& module) {
    return spirv::Annotations::collect(module, shown_, diagnostics_);
  }

  // Whether the text becomes a shader that nobody can tell from the entry point. Yields what else
  // it asks of the device: glslang wants a feature for indices into some arrays in heaps too.
  Diagnosed<std::vector<std::string>> check(const std::string& text, const Compiled& wanted,
                                            size_t entry) {
    Diagnostics said;
    const auto compiled =
        input::compile_glsl(text, "emitted", wanted.interface.entryPoints[entry].stage,
                            {.includeFolders = {}, .defines = {}}, said);
    const bool valid =
        compiled && spirv::validate_module(compiled->words, {.scalarBlockLayout = true}, "emitted",
                                           Code::FrontEndInvalidSpirv, said);
    if (!valid) {
      return diagnostics_.error(
          Code::UnsupportedGlsl, {.file = shown_},
          std::format("its GLSL would not compile: {}", said.all().front().text));
    }
    const auto found = read(compiled->words);
    if (!found) return std::unexpected(found.error());
    std::string difference = compare_interfaces(wanted.interface, entry, found->interface);
    if (difference.empty()) {
      const auto before = annotations_of(wanted.module);
      const auto after = annotations_of(found->module);
      if (!before || !after) return diagnostics_.failed();
      difference = compare_memory({wanted.module, *before}, entry, {found->module, *after});
    }
    std::vector<std::string> features;
    for (std::string& feature : further_features(wanted.interface, found->interface)) {
      if (std::ranges::contains(further_features(shader_.interface, found->interface), feature)) {
        if (!is_of_indices(feature)) warn(feature);
        features.push_back(std::move(feature));
      }
    }
    if (difference.empty()) return features;
    return diagnostics_.error(
        Code::UnsupportedGlsl, {.file = shown_},
        std::format("its GLSL would differ from the shader in: {}", difference));
  }

  const LoadedShader& shader_;
  const spirv::Module& module_;
  const GlslNumbers& numbers_;
  std::string shown_;
  Diagnostics& diagnostics_;
};

// Of an entry point's name, which may hold anything.
std::string file_word(std::string name) {
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return name;
}

bool drop_end(std::string& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  name.resize(name.size() - end.size());
  return true;
}

}  // namespace

Diagnosed<GlslForm> emit_glsl(const LoadedShader& shader, const spirv::Module& module,
                              const rewrite::Placements& placements,
                              std::span<const size_t> entryPoints, const GlslNumbers& numbers,
                              bool validate, Diagnostics& diagnostics) {
  return Translation(shader, module, numbers, diagnostics).run(placements, entryPoints, validate);
}

std::string glsl_name(const std::string& file, std::span<const reflect::EntryPoint> entryPoints,
                      size_t index) {
  std::string name = file;
  drop_end(name, ".spv");
  drop_end(name, ".glsl");
  const reflect::EntryPoint& entry = entryPoints[index];
  std::string extension = std::format(".{}", input::stage_extension(entry.stage));
  if (input::parse_shader_name(name).stage == entry.stage) {
    const size_t dot = name.rfind('.');
    extension = name.substr(dot);
    name.resize(dot);
  }
  if (entryPoints.size() > 1) name += "." + file_word(entry.name);
  return name + extension + ".glsl";
}

}  // namespace heapsmith::driver
