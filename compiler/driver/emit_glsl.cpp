// SPDX-License-Identifier: MIT
#include "driver/emit_glsl.h"

#include <algorithm>
#include <array>
#include <format>
#include <set>
#include <string_view>
#include <vector>

#include "driver/compare_interfaces.h"
#include "emit/glsl.h"
#include "input/read_file.h"
#include "input/shader_source.h"
#include "reflect/reflect_module.h"
#include "rewrite/place_bindings.h"
#include "rewrite/rewrite_module.h"
#include "spirv/parse.h"
#include "spirv/validate.h"

namespace heapsmith::driver {
namespace {

// SPIRV-Cross 1.4.357 does not return from these: recursive buffer references, vectors of other
// lengths.
bool breaks_translator(const reflect::ShaderInterface& shader) {
  return std::ranges::contains(shader.capabilities, std::string_view("LongVectorEXT"));
}

class Translation {
 public:
  Translation(const LoadedShader& shader, const spirv::Module& module, Diagnostics& diagnostics)
      : shader_(shader),
        module_(module),
        shown_(input::shown_path(shader.path)),
        diagnostics_(diagnostics) {}

  Diagnosed<std::string> run(rewrite::Placements placements, uint32_t spec_id, bool validate) {
    if (!check_input(placements)) return diagnostics_.failed();
    const uint32_t image_slots = placements.regions.imageSlots.value;
    auto& first_buffer =
        placements.regions.firstSlots[static_cast<size_t>(DescriptorClass::Buffer)];
    if (image_slots != 0 && !first_buffer)
      first_buffer = rewrite::Specializable(image_slots, spec_id);
    placements.plainImageArrays = true;
    const auto words =
        rewrite::rewrite_module(module_, shader_.interface, placements, shown_, diagnostics_);
    if (!words) return std::unexpected(words.error());
    const auto interface = reflect_words(*words);
    if (!interface) return std::unexpected(interface.error());
    const bool has_constant = std::ranges::contains(interface->specializationConstants, spec_id,
                                                    &reflect::SpecializationConstant::specId);
    auto text = emit::glsl(*words,
                           {.firstBufferId = has_constant ? std::optional(spec_id) : std::nullopt,
                            .imageSlots = image_slots},
                           shown_, diagnostics_);
    if (text && validate && !check(*text, *interface)) return diagnostics_.failed();
    return text;
  }

 private:
  bool check_input(const rewrite::Placements& placements) {
    if (shader_.interface.entryPoints.size() != 1) {
      return refuse("a module with several entry points");
    }
    const auto is_forward_pointer = [](spirv::Instruction instruction) {
      return instruction.op() == spv::Op::OpTypeForwardPointer;
    };
    for (const spirv::Instruction instruction : module_.declarations()) {
      if (is_forward_pointer(instruction))
        return refuse("addresses of a type that holds addresses");
    }
    if (breaks_translator(shader_.interface)) return refuse("vectors of any length");
    for (const reflect::Resource& resource : shader_.interface.resources)
      check_image(resource, placements);
    return !diagnostics_.has_errors();
  }

  // Their arrays need a structure for these, which SPIRV-Cross does not read.
  void check_image(const reflect::Resource& resource, const rewrite::Placements& placements) {
    const auto* placement = rewrite::find_placement(placements, resource.set, resource.binding);
    const bool in_heap = placement != nullptr && placement->resource.has_value();
    const reflect::Qualifiers& said = resource.qualifiers;
    if (!in_heap || !resource.image || !(said.coherent || said.isVolatile)) return;
    diagnostics_.error(Code::UnsupportedGlsl,
                       {.file = shown_,
                        .resource = resource.name,
                        .set = resource.set,
                        .binding = resource.binding},
                       std::format("a {} image in a heap cannot be written as GLSL; leave --emit "
                                   "glsl away, or let the policy keep the image mapped",
                                   said.coherent ? "coherent" : "volatile"));
  }

  bool refuse(std::string_view what) {
    diagnostics_.error(Code::UnsupportedGlsl, {.file = shown_},
                       std::format("{} cannot be written as GLSL; leave --emit glsl away", what));
    return false;
  }

  Diagnosed<reflect::ShaderInterface> reflect_words(std::span<const uint32_t> words) {
    const auto parsed = spirv::parse_module(std::as_bytes(words), shown_, diagnostics_);
    if (!parsed) return std::unexpected(parsed.error());
    return reflect::reflect_module(*parsed, shown_, diagnostics_);
  }

  // Whether the text becomes a shader that nobody can tell from the other.
  bool check(const std::string& text, const reflect::ShaderInterface& wanted) {
    Diagnostics said;
    const auto compiled = input::compile_glsl(text, "emitted", wanted.entryPoints[0].stage,
                                              {.includeFolders = {}, .defines = {}}, said);
    const bool valid =
        compiled && spirv::validate_module(compiled->words, {.scalarBlockLayout = true}, "emitted",
                                           Code::FrontEndInvalidSpirv, said);
    if (!valid) {
      diagnostics_.error(Code::UnsupportedGlsl, {.file = shown_},
                         std::format("its GLSL would not compile: {}", said.all().front().text));
      return false;
    }
    const auto found = reflect_words(compiled->words);
    if (!found) return false;
    const std::string difference = compare_interfaces(wanted, *found);
    if (difference.empty()) return true;
    diagnostics_.error(Code::UnsupportedGlsl, {.file = shown_},
                       std::format("its GLSL would differ from the shader in: {}", difference));
    return false;
  }

  const LoadedShader& shader_;
  const spirv::Module& module_;
  std::string shown_;
  Diagnostics& diagnostics_;
};

bool drop_end(std::string& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  name.resize(name.size() - end.size());
  return true;
}

}  // namespace

uint32_t free_spec_id(std::span<const LoadedShader> shaders) {
  std::set<uint32_t> taken;
  for (const LoadedShader& shader : shaders) {
    for (const auto& constant : shader.interface.specializationConstants)
      taken.insert(constant.specId);
  }
  uint32_t id = 0;
  while (taken.contains(id))
    ++id;
  return id;
}

Diagnosed<std::string> emit_glsl(const LoadedShader& shader, const spirv::Module& module,
                                 const rewrite::Placements& placements, uint32_t specId,
                                 bool validate, Diagnostics& diagnostics) {
  return Translation(shader, module, diagnostics).run(placements, specId, validate);
}

std::string glsl_name(const std::string& file, ShaderStage stage) {
  std::string name = file;
  drop_end(name, ".spv");
  drop_end(name, ".glsl");
  if (input::parse_shader_name(name).stage != stage)
    name += std::format(".{}", input::stage_extension(stage));
  return name + ".glsl";
}

}  // namespace heapsmith::driver
