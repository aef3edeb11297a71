// SPDX-License-Identifier: MIT
#include "read_manifest.h"

#include <algorithm>
#include <unordered_map>

namespace heapsmith::detail {
namespace {

constexpr DescriptorType kTypes[] = {
    DescriptorType::Sampler,
    DescriptorType::CombinedImageSampler,
    DescriptorType::SampledImage,
    DescriptorType::StorageImage,
    DescriptorType::UniformTexelBuffer,
    DescriptorType::StorageTexelBuffer,
    DescriptorType::UniformBuffer,
    DescriptorType::StorageBuffer,
    DescriptorType::InputAttachment,
    DescriptorType::AccelerationStructureKHR,
    DescriptorType::TensorARM,
};
constexpr DescriptorClass kClasses[] = {DescriptorClass::Buffer, DescriptorClass::Image,
                                        DescriptorClass::Sampler, DescriptorClass::Tensor};
constexpr Residence kResidences[] = {Residence::Static, Residence::Indexed};
constexpr MappingSource kSources[] = {MappingSource::HeapWithConstantOffset,
                                      MappingSource::HeapWithPushIndex};
constexpr MappingPart kParts[] = {MappingPart::Resource, MappingPart::Sampler,
                                  MappingPart::Combined};
constexpr PushFieldKind kFieldKinds[] = {PushFieldKind::TableIndex, PushFieldKind::SamplerIndex};
constexpr ArrayKind kArrayKinds[] = {ArrayKind::None, ArrayKind::Fixed, ArrayKind::Specialization,
                                     ArrayKind::Runtime};
constexpr ShaderStage kStages[] = {
    ShaderStage::Vertex,        ShaderStage::TessellationControl,
    ShaderStage::Geometry,      ShaderStage::TessellationEvaluation,
    ShaderStage::Fragment,      ShaderStage::Compute,
    ShaderStage::Task,          ShaderStage::Mesh,
    ShaderStage::RayGeneration, ShaderStage::AnyHit,
    ShaderStage::ClosestHit,    ShaderStage::Miss,
    ShaderStage::Intersection,  ShaderStage::Callable,
};
constexpr SpirvResourceType kResourceTypes[] = {
    SpirvResourceType::Sampler,
    SpirvResourceType::SampledImage,
    SpirvResourceType::ReadOnlyImage,
    SpirvResourceType::ReadWriteImage,
    SpirvResourceType::CombinedSampledImage,
    SpirvResourceType::UniformBuffer,
    SpirvResourceType::ReadOnlyStorageBuffer,
    SpirvResourceType::ReadWriteStorageBuffer,
    SpirvResourceType::AccelerationStructure,
    SpirvResourceType::TensorARM,
};

/// Views into the document.
using Names = std::unordered_map<std::string_view, uint32_t>;

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

IndexRange range_since(size_t first, size_t end) {
  return {static_cast<uint32_t>(first), static_cast<uint32_t>(end - first)};
}

struct State {
  Reader& in;
  ManifestStorage storage;
  Names tableNames;
  Names fieldNames;
  std::vector<Table> tables;
  std::vector<Binding> bindings;
  std::vector<PushField> pushFields;
  std::vector<Program> programs;
  std::vector<Shader> shaders;
  std::vector<Mapping> mappings;
  std::vector<ExternalRange> externalRanges;

  ManifestStorage run(const Place& root) {
    in.check_keys(root, {"$schema", "formatVersion", "regions", "externalRanges", "tables",
                         "pushData", "programs", "blocks"});
    const Place tableList = in.member(root, "tables");
    const Place pushData = in.member(root, "pushData");
    const Place fieldList = in.member(pushData, "fields");
    const Place rangeList = in.member(root, "externalRanges");
    const Place programList = in.member(root, "programs");
    tableNames = index_names(tableList);
    fieldNames = index_names(fieldList);
    index_names(rangeList);
    index_names(programList);
    for (size_t i = 0; i < in.length(rangeList); ++i)
      external_range(in.element(rangeList, i));
    for (size_t i = 0; i < in.length(tableList); ++i)
      table(in.element(tableList, i));
    for (size_t i = 0; i < in.length(fieldList); ++i)
      push_field(in.element(fieldList, i));
    for (size_t i = 0; i < in.length(programList); ++i)
      program(in.element(programList, i));
    keep_arrays();
    return std::move(storage);
  }

  /// Every list of named things: no name is empty, none repeated.
  Names index_names(const Place& list) {
    Names names;
    for (size_t i = 0; i < in.length(list); ++i) {
      const Place entry = in.element(list, i);
      const Place nameOf = in.member(entry, "name");
      if (!names.emplace(in.name(nameOf), static_cast<uint32_t>(i)).second) {
        in.fail(nameOf, "'", in.text(nameOf), "' is the name of two");
      }
    }
    return names;
  }

  uint32_t look_up(const Names& names, const Place& place) {
    const auto found = names.find(in.text(place));
    if (found != names.end()) return found->second;
    if (place.value != nullptr) in.fail(place, "nothing has the name '", in.text(place), "'");
    return kNone;
  }
  uint32_t look_up_if_there(const Names& names, const Place& object, std::string_view key) {
    return in.has(object, key) ? look_up(names, in.member(object, key)) : kNone;
  }

  void external_range(const Place& place) {
    in.check_keys(place, {"name", "class", "slots", "firstSlot"});
    externalRanges.push_back({.name = storage.keep(in.text(in.member(place, "name"))),
                              .descriptorClass = in.choice(in.member(place, "class"), kClasses),
                              .slots = in.number32(in.member(place, "slots"), 1)});
  }

  void table(const Place& place) {
    in.check_keys(place, {"name", "set", "residence", "instances", "samplerInstances", "indexField",
                          "samplerIndexField", "slots", "bindings"});
    Table table;
    table.name = storage.keep(in.text(in.member(place, "name")));
    table.set = in.number32(in.member(place, "set"));
    table.residence = in.choice(in.member(place, "residence"), kResidences);
    table.instances = in.number32(in.member(place, "instances"), 1);
    if (in.has(place, "samplerInstances")) {
      table.samplerInstances = in.number32(in.member(place, "samplerInstances"), 1);
    }
    table.indexField = look_up_if_there(fieldNames, place, "indexField");
    table.samplerIndexField = look_up_if_there(fieldNames, place, "samplerIndexField");
    if (table.residence == Residence::Static) {
      if (table.instances != 1 || table.samplerInstances != 1) {
        in.fail(place, "a static table has one instance");
      }
      if (table.indexField != kNone || table.samplerIndexField != kNone) {
        in.fail(place, "nothing picks an instance of a static table");
      }
    }
    const Place list = in.member(place, "bindings");
    const size_t first = bindings.size();
    const auto self = static_cast<uint32_t>(tables.size());
    index_names(list);
    for (size_t i = 0; i < in.length(list); ++i)
      binding(in.element(list, i), first, self);
    table.bindings = range_since(first, bindings.size());
    tables.push_back(table);
  }

  void binding(const Place& place, size_t firstOfTable, uint32_t table) {
    in.check_keys(place, {"name", "binding", "descriptorType", "array", "count", "capacity", "dims",
                          "stages", "used", "minBufferSize", "views", "slot", "samplerSlot"});
    Binding binding;
    binding.name = storage.keep(in.text(in.member(place, "name")));
    binding.table = table;
    const Place number = in.member(place, "binding");
    binding.binding = in.number32(number);
    if (bindings.size() > firstOfTable && bindings.back().binding >= binding.binding) {
      in.fail(number, "the bindings of a table ascend, ", binding.binding, " comes after ",
              bindings.back().binding);
    }
    binding.type = in.choice(in.member(place, "descriptorType"), kTypes);
    array(place, binding);
    binding.stages = in.bits(in.member(place, "stages"), kStages);
    const bool isBuffer = binding.type == DescriptorType::UniformBuffer ||
                          binding.type == DescriptorType::StorageBuffer;
    if (isBuffer) {
      binding.minBufferSize = in.number(in.member(place, "minBufferSize"), 0, UINT64_MAX);
    } else if (in.has(place, "minBufferSize")) {
      in.fail(in.member(place, "minBufferSize"), "only a uniform or storage buffer has one");
    }
    check_notes(place, binding);
    bindings.push_back(binding);
  }

  void array(const Place& place, Binding& binding) {
    binding.arrayKind = in.choice(in.member(place, "array"), kArrayKinds);
    const Place capacity = in.member(place, "capacity");
    binding.capacity = in.number32(capacity, 1);
    if (binding.arrayKind == ArrayKind::None && binding.capacity != 1) {
      in.fail(capacity, "a binding that is no array has one element");
    }
    const Place count = in.member(place, "count");
    if (binding.arrayKind == ArrayKind::Runtime) {
      if (in.text(count) != "runtime") in.fail(count, "a runtime array's is 'runtime'");
    } else if (in.number32(count, 1) != binding.capacity) {
      in.fail(count, "differs from the capacity, ", binding.capacity);
    }
  }

  /// What is there for people and other tools, and may be absent.
  void check_notes(const Place& place, const Binding& binding) {
    if (in.has(place, "used")) {
      const Place used = in.member(place, "used");
      if (in.boolean(used) != (binding.stages != 0)) in.fail(used, "contradicts the stages");
    }
    if (in.has(place, "dims")) {
      const Place dims = in.member(place, "dims");
      for (size_t i = 0; i < in.length(dims); ++i) {
        [[maybe_unused]] const uint32_t length = in.number32(in.element(dims, i));
      }
    }
    if (!in.has(place, "views")) return;
    const Place views = in.member(place, "views");
    for (size_t i = 0; i < in.length(views); ++i) {
      const Place view = in.element(views, i);
      in.check_keys(view, {"name", "blockName", "block"});
      [[maybe_unused]] std::string_view name = in.text(in.member(view, "name"));
      if (in.has(view, "blockName")) name = in.text(in.member(view, "blockName"));
    }
  }

  void push_field(const Place& place) {
    in.check_keys(place, {"name", "kind", "table", "offset", "size"});
    PushField field;
    field.name = storage.keep(in.text(in.member(place, "name")));
    field.kind = in.choice(in.member(place, "kind"), kFieldKinds);
    const Place tablePlace = in.member(place, "table");
    field.table = look_up(tableNames, tablePlace);
    const Place offset = in.member(place, "offset");
    field.offset = in.number32(offset);
    if (field.offset % 4 != 0) in.fail(offset, "is no multiple of 4");
    const Place size = in.member(place, "size");
    field.size = in.number32(size);
    if (field.size != 4) in.fail(size, "an index takes 4 bytes");
    if (field.offset > UINT32_MAX - field.size) in.fail(offset, "is beyond all push data");
    if (field.table != kNone) {
      const Table& table = tables[field.table];
      const uint32_t named =
          field.kind == PushFieldKind::TableIndex ? table.indexField : table.samplerIndexField;
      if (named != pushFields.size()) {
        in.fail(tablePlace, "table '", table.name, "' names another field as its ",
                to_string(field.kind), ", or none");
      }
    }
    pushFields.push_back(field);
  }

  void program(const Place& place) {
    in.check_keys(place, {"name", "pushConstants", "shaders", "mappings"});
    Program program;
    program.name = storage.keep(in.text(in.member(place, "name")));
    if (in.has(place, "pushConstants")) push_constants(in.member(place, "pushConstants"), program);
    const Place shaderList = in.member(place, "shaders");
    const size_t firstShader = shaders.size();
    for (size_t i = 0; i < in.length(shaderList); ++i)
      shader(in.element(shaderList, i));
    program.shaders = range_since(firstShader, shaders.size());
    if (program.shaders.count == 0) in.fail(shaderList, "a program has a shader");
    const Place mappingList = in.member(place, "mappings");
    const size_t firstMapping = mappings.size();
    for (size_t i = 0; i < in.length(mappingList); ++i)
      mapping(in.element(mappingList, i));
    program.mappings = range_since(firstMapping, mappings.size());
    programs.push_back(program);
  }

  void push_constants(const Place& place, Program& program) {
    in.check_keys(place, {"offset", "size"});
    program.pushConstantOffset = in.number32(in.member(place, "offset"));
    program.pushConstantSize = in.number32(in.member(place, "size"), 4);
    if (program.pushConstantOffset % 4 != 0 || program.pushConstantSize % 4 != 0) {
      in.fail(place, "offset and size are multiples of 4");
    }
    if (program.pushConstantOffset > UINT32_MAX - program.pushConstantSize) {
      in.fail(place, "is beyond all push data");
    }
  }

  void shader(const Place& place) {
    in.check_keys(place, {"stage", "entryPoint", "file", "sha256", "form",
                          "specializationConstants", "pushConstantBlock"});
    const Place file = in.member(place, "file");
    const std::string_view path = in.name(file);
    if (path.starts_with('/') || path.starts_with('\\') || path.find(':') != path.npos) {
      in.fail(file, "is relative to the manifest's folder");
    }
    const Place hash = in.member(place, "sha256");
    if (hash.value != nullptr && !is_sha256(in.text(hash))) {
      in.fail(hash, "is no SHA-256 in lower-case hexadecimal digits");
    }
    if (in.has(place, "form")) {
      const Place form = in.member(place, "form");
      if (in.text(form) != "mapped") in.fail(form, "'", in.text(form), "' is not known here");
    }
    if (in.has(place, "specializationConstants")) {
      const Place constants = in.member(place, "specializationConstants");
      for (size_t i = 0; i < in.length(constants); ++i)
        constant(in.element(constants, i));
    }
    shaders.push_back({.file = storage.keep(path),
                       .entryPoint = storage.keep(in.text(in.member(place, "entryPoint"))),
                       .sha256 = storage.keep(in.text(hash)),
                       .stage = in.choice(in.member(place, "stage"), kStages)});
  }

  void constant(const Place& place) {
    in.check_keys(place, {"specId", "name", "type", "defaultBits"});
    [[maybe_unused]] uint64_t number = in.number32(in.member(place, "specId"));
    number = in.number(in.member(place, "defaultBits"), 0, UINT64_MAX);
    [[maybe_unused]] std::string_view text = in.text(in.member(place, "name"));
    text = in.name(in.member(place, "type"));
  }

  void mapping(const Place& place) {
    in.check_keys(place, {"set", "binding", "table", "resourceMask", "source", "part", "heapOffset",
                          "heapArrayStride", "heapIndexStride", "pushField", "samplerHeapOffset",
                          "samplerHeapArrayStride", "samplerHeapIndexStride", "samplerPushField"});
    Mapping mapping;
    mapping.set = in.number32(in.member(place, "set"));
    const Place number = in.member(place, "binding");
    const uint32_t table = look_up(tableNames, in.member(place, "table"));
    if (table < tables.size()) mapping.binding = find_by_number(table, in.number32(number));
    if (mapping.binding == kNone) in.fail(number, "the table has no such binding");
    mapping.resourceMask = in.bits(in.member(place, "resourceMask"), kResourceTypes);
    mapping.source = in.choice(in.member(place, "source"), kSources);
    mapping.part = in.choice(in.member(place, "part"), kParts);
    mapping.pushField = look_up_if_there(fieldNames, place, "pushField");
    mapping.samplerPushField = look_up_if_there(fieldNames, place, "samplerPushField");
    mappings.push_back(mapping);
  }

  [[nodiscard]] uint32_t find_by_number(uint32_t table, uint32_t number) const {
    const IndexRange range = tables[table].bindings;
    const auto first = bindings.begin() + range.first;
    const auto last = first + range.count;
    const auto found = std::lower_bound(
        first, last, number, [](const Binding& b, uint32_t value) { return b.binding < value; });
    if (found == last || found->binding != number) return kNone;
    return static_cast<uint32_t>(found - bindings.begin());
  }

  void keep_arrays() {
    Manifest& manifest = storage.manifest;
    manifest.tables = storage.keep(tables);
    manifest.bindings = storage.keep(bindings);
    manifest.pushFields = storage.keep(pushFields);
    manifest.programs = storage.keep(programs);
    manifest.shaders = storage.keep(shaders);
    manifest.mappings = storage.keep(mappings);
    manifest.externalRanges = storage.keep(externalRanges);
  }
};

}  // namespace

ManifestStorage read_manifest(Reader& reader, const Place& root) {
  State state{.in = reader,
              .storage = {},
              .tableNames = {},
              .fieldNames = {},
              .tables = {},
              .bindings = {},
              .pushFields = {},
              .programs = {},
              .shaders = {},
              .mappings = {},
              .externalRanges = {}};
  return state.run(root);
}

}  // namespace heapsmith::detail
