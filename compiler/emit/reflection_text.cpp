// SPDX-License-Identifier: MIT
#include "emit/reflection_text.h"

#include <algorithm>
#include <cstdint>
#include <format>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/reflection_words.h"
#include "emit/text_table.h"
#include "heapsmith/manifest.h"
#include "reflect/merge_blocks.h"

namespace heapsmith::emit {
namespace {

using reflect::BlockType;
using reflect::EntryPoint;
using reflect::HeapAccess;
using reflect::InterfaceKind;
using reflect::InterfaceVariable;
using reflect::kNoType;
using reflect::Resource;
using reflect::ShaderInterface;
using reflect::TypeKind;

using Words = std::vector<std::string>;

std::string length_text(uint64_t length) {
  return length == 0 ? "runtime" : std::to_string(length);
}

/// An expression as part of a product.
std::string factor_text(const reflect::HeapSize& size) {
  const bool isSimple =
      size.text.find(' ') == std::string::npos || size.kind == reflect::HeapSizeKind::Maximum;
  return isSimple ? size.text : std::format("({})", size.text);
}

std::string image_text(const reflect::ImageFacts& image) {
  std::string text(dim_word(image.dim));
  if (image.arrayed) text += " arrayed";
  if (image.multisampled) text += " multisampled";
  if (image.depth == 1) text += " depth";
  text += ' ' + image.sampledType;
  if (image.format != 0) text += std::format(" {}", format_word(image.format));
  return text;
}

/// A type in words; arrays nest as deep as types do.
std::string type_text(const reflect::MergedBlocks& blocks, uint32_t index) {
  std::string dims;
  const BlockType* type = &blocks.types[index];
  for (; type->kind == TypeKind::Array || type->kind == TypeKind::RuntimeArray;
       type = &blocks.types[type->element])
    dims += std::format(
        "[{}]", type->kind == TypeKind::RuntimeArray ? "runtime" : std::to_string(type->length));
  switch (type->kind) {
    case TypeKind::Vector:
      return std::format("{}x{}{}", type->scalar, type->rows, dims);
    case TypeKind::Matrix:
      return std::format("{}x{}x{}{}", type->scalar, type->columns, type->rows, dims);
    case TypeKind::Structure:
      return printable(type->name) + dims;
    case TypeKind::Address:
      if (type->element == kNoType) return "address" + dims;
      return std::format("address of {}{}", printable(blocks.types[type->element].name), dims);
    default:
      return type->scalar + dims;
  }
}

/// The facts that resources and heap accesses share.
template <typename Used>
void add_uses(const Used& used, Words& words) {
  for (std::string& word : qualifier_words(used.qualifiers))
    words.push_back(std::move(word));
  if (used.comparison) words.emplace_back("comparison");
  if (used.usesLength) words.emplace_back("length");
  if (used.usesAtomics) words.emplace_back("atomics");
  if (used.usesDerivatives) words.emplace_back("derivatives");
}

class Writer {
 public:
  explicit Writer(const NamedInterface& named)
      : named_(named), shader_(*named.shader), blocks_(reflect::merge_blocks({&named.shader, 1})) {}

  std::string run();

 private:
  template <typename... Arguments>
  void line(std::format_string<Arguments...> format, Arguments&&... arguments) {
    std::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void write_module();
  void write_entry_point(const EntryPoint& entryPoint);
  void write_variables(const EntryPoint& entryPoint);
  void write_resources();
  void write_heap_accesses();
  void write_structures();
  void write_constants();
  [[nodiscard]] std::string resource_names(const EntryPoint& entryPoint, bool used) const;
  [[nodiscard]] std::string modes_text(const EntryPoint& entryPoint) const;
  [[nodiscard]] std::string push_constants_text(const reflect::PushConstants& push) const;
  [[nodiscard]] std::string structure_name(uint32_t block) const {
    return printable(blocks_.types[blocks_.indices[0][block]].name);
  }

  const NamedInterface& named_;
  const ShaderInterface& shader_;
  reflect::MergedBlocks blocks_;
  std::string text_;
};

std::string Writer::run() {
  write_module();
  for (const EntryPoint& entryPoint : shader_.entryPoints)
    write_entry_point(entryPoint);
  write_resources();
  write_heap_accesses();
  write_structures();
  write_constants();
  return std::move(text_);
}

void Writer::write_module() {
  line("{}", printable(named_.file));
  TextTable table;
  table.add({"SPIR-V", version_text(shader_.spirvVersion)});
  table.add({"capabilities", join(shader_.capabilities, ", ")});
  if (!shader_.extensions.empty())
    table.add({"extensions", printable(join(shader_.extensions, ", "))});
  Words features;
  for (const reflect::RequiredFeature& required : shader_.requiredFeatures)
    features.push_back(join(required.features, " or "));
  if (!features.empty()) table.add({"features", join(features, ", ")});
  table.print(2, text_);
}

std::string Writer::modes_text(const EntryPoint& entryPoint) const {
  Words modes;
  for (const reflect::ExecutionMode& mode : entryPoint.executionModes) {
    std::string text = mode.name;
    for (const reflect::ExecutionModeOperand& operand : mode.operands)
      text += ' ' + (operand.expression.empty() ? std::to_string(operand.value)
                                                : printable(operand.expression));
    modes.push_back(std::move(text));
  }
  return join(modes, ", ");
}

std::string Writer::resource_names(const EntryPoint& entryPoint, bool used) const {
  Words names;
  auto next = entryPoint.usedResources.begin();
  for (uint32_t i = 0; i < shader_.resources.size(); ++i) {
    const bool isUsed = next != entryPoint.usedResources.end() && *next == i;
    if (isUsed) ++next;
    if (isUsed == used) names.push_back(printable(shader_.resources[i].name));
  }
  return join(names, ", ");
}

std::string Writer::push_constants_text(const reflect::PushConstants& push) const {
  std::string text = std::format("{}: {}, bytes {} to {}", printable(push.name),
                                 structure_name(push.block), push.offset, push.offset + push.size);
  Words ranges;
  for (const reflect::ByteRange& range : push.usedRanges)
    ranges.push_back(std::format("{} to {}", range.begin, range.end));
  if (!ranges.empty()) text += "; used: " + join(ranges, ", ");
  return text;
}

void Writer::write_entry_point(const EntryPoint& entryPoint) {
  line("\n  entry point {} ({})", printable(entryPoint.name), to_string(entryPoint.stage));
  TextTable table;
  const auto add = [&](const char* what, std::string text) {
    if (!text.empty()) table.add({what, std::move(text)});
  };
  add("modes", modes_text(entryPoint));
  if (entryPoint.workgroupSize) {
    const auto& size = *entryPoint.workgroupSize;
    add("workgroup", std::format("{} x {} x {}", size[0], size[1], size[2]));
  }
  add("uses", resource_names(entryPoint, true));
  add("does not use", resource_names(entryPoint, false));
  if (entryPoint.pushConstants)
    add("push constants", push_constants_text(*entryPoint.pushConstants));
  table.print(4, text_);
  write_variables(entryPoint);
}

void Writer::write_variables(const EntryPoint& entryPoint) {
  TextTable table;
  std::vector<reflect::EntryPointVariable> entries = entryPoint.variables;
  std::ranges::stable_sort(entries, {}, [&](const reflect::EntryPointVariable& entry) {
    return shader_.variables[entry.variable].kind;
  });
  for (const reflect::EntryPointVariable& entry : entries) {
    const InterfaceVariable& variable = shader_.variables[entry.variable];
    Words more;
    if (!variable.builtIn.empty()) more.push_back(variable.builtIn);
    if (variable.location) more.push_back(std::format("location {}", *variable.location));
    if (variable.component) more.push_back(std::format("component {}", *variable.component));
    if (variable.index) more.push_back(std::format("index {}", *variable.index));
    more.insert(more.end(), variable.decorations.begin(), variable.decorations.end());
    if (!entry.used) more.emplace_back("unused");
    table.add({std::string(interface_kind_word(variable.kind)), printable(variable.name),
               printable(variable.type), join(more, ", ")});
  }
  table.print(4, text_);
}

void Writer::write_resources() {
  if (shader_.resources.empty()) return;
  line("\n  resources");
  TextTable table;
  for (const Resource& resource : shader_.resources) {
    std::string dims;
    for (const uint32_t dim : resource.dims)
      dims += std::format("[{}]", length_text(dim));
    Words more;
    if (resource.block != kNoType)
      more.push_back(
          std::format("{}, {} bytes", structure_name(resource.block), resource.blockSize));
    if (resource.image) more.push_back(image_text(*resource.image));
    if (resource.inputAttachmentIndex)
      more.push_back(std::format("attachment {}", *resource.inputAttachmentIndex));
    if (!resource.sizeExpression.empty())
      more.push_back("count " + printable(resource.sizeExpression));
    add_uses(resource, more);
    if (resource.nonUniformlyIndexed) more.emplace_back("non-uniform index");
    if (resource.dynamicallyIndexed && !resource.nonUniformlyIndexed)
      more.emplace_back("dynamic index");
    for (const uint32_t alias : resource.aliases)
      more.push_back("aliases " + printable(shader_.resources[alias].name));
    table.add({std::format("{}.{}", resource.set, resource.binding),
               printable(resource.name) + dims, std::string(to_string(resource.type)),
               std::string(access_word(resource.isRead, resource.isWritten)), join(more, ", ")});
  }
  table.print(4, text_);
}

void Writer::write_heap_accesses() {
  if (shader_.heapAccesses.empty()) return;
  line("\n  heaps");
  TextTable table;
  for (const HeapAccess& access : shader_.heapAccesses) {
    std::string place = access.offset.text;
    for (const reflect::HeapArray& array : access.arrays)
      place += std::format(" + [{}] * {}", length_text(array.length), factor_text(array.stride));
    Words slots;
    for (const uint64_t slot : access.slots)
      slots.push_back(std::to_string(slot));
    if (access.indexing != reflect::HeapIndexing::Constant)
      slots.emplace_back(indexing_word(access.indexing));
    Words more;
    if (access.block != kNoType) more.push_back(structure_name(access.block));
    if (access.image) more.push_back(image_text(*access.image));
    add_uses(access, more);
    if (access.nonUniformlyIndexed) more.emplace_back("non-uniform index");
    table.add({access.samplerHeap ? "sampler" : "resource",
               access.type ? std::string(to_string(*access.type)) : printable(access.dataType),
               printable(place), join(slots, ", "),
               std::string(access_word(access.isRead, access.isWritten)), join(more, ", ")});
  }
  table.print(4, text_);
}

void Writer::write_structures() {
  for (const uint32_t index : blocks_.structures) {
    const BlockType& type = blocks_.types[index];
    line("\n  structure {} ({} bytes)", printable(type.name), type.size);
    TextTable table;
    for (const reflect::BlockMember& member : type.members)
      table.add(
          {std::to_string(member.offset), printable(member.name), type_text(blocks_, member.type)});
    table.print(4, text_);
  }
}

void Writer::write_constants() {
  if (shader_.specializationConstants.empty()) return;
  line("\n  specialization constants");
  TextTable table;
  for (const reflect::SpecializationConstant& constant : shader_.specializationConstants)
    table.add({std::to_string(constant.specId), printable(constant.name), constant.type,
               std::format("default bits {:#x}", constant.defaultBits)});
  table.print(4, text_);
}

}  // namespace

std::string reflection_text(std::span<const NamedInterface> shaders) {
  std::string text;
  for (const NamedInterface& shader : shaders) {
    if (!text.empty()) text += '\n';
    text += Writer(shader).run();
  }
  return text;
}

}  // namespace heapsmith::emit
