// SPDX-License-Identifier: MIT
#include "read_manifest.h"

#include <algorithm>
#include <unordered_map>

#include "heapsmith/sampler_members.h"
#include "read_samplers.h"

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
constexpr Residence kResidences[] = {
    Residence::Static,     Residence::Indexed,      Residence::Indirect,
    Residence::Scattered,  Residence::Record,       Residence::HeapData,
    Residence::PushData,   Residence::PushAddress,  Residence::IndirectAddress,
    Residence::RecordData, Residence::RecordAddress};
constexpr MappingSource kSources[] = {MappingSource::HeapWithConstantOffset,
                                      MappingSource::HeapWithPushIndex,
                                      MappingSource::HeapWithIndirectIndex,
                                      MappingSource::HeapWithIndirectIndexArray,
                                      MappingSource::ResourceHeapData,
                                      MappingSource::PushData,
                                      MappingSource::PushAddress,
                                      MappingSource::IndirectAddress,
                                      MappingSource::HeapWithShaderRecordIndex,
                                      MappingSource::ShaderRecordData,
                                      MappingSource::ShaderRecordAddress};
constexpr MappingPart kParts[] = {MappingPart::Resource, MappingPart::Sampler,
                                  MappingPart::Combined};
constexpr FieldKind kFieldKinds[] = {
    FieldKind::TableIndex,    FieldKind::SamplerIndex,   FieldKind::PackedIndex,
    FieldKind::ResourceSlots, FieldKind::SamplerSlots,   FieldKind::BlockAddress,
    FieldKind::BufferAddress, FieldKind::HeapDataOffset, FieldKind::Data};
constexpr SamplerPlacement kPlacements[] = {SamplerPlacement::Table, SamplerPlacement::Immutable,
                                            SamplerPlacement::Embedded};
constexpr ArrayKind kArrayKinds[] = {ArrayKind::None, ArrayKind::Fixed, ArrayKind::Specialization,
                                     ArrayKind::Runtime};
constexpr RegionBases kRegionBases[] = {RegionBases::Sizes, RegionBases::Specialization};
constexpr SlotNumber kSlotNumbers[] = {SlotNumber::RegionFirstSlot, SlotNumber::RegionSlots,
                                       SlotNumber::SlotsPerInstance, SlotNumber::ResourceSlot,
                                       SlotNumber::SamplerSlot};
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
  explicit State(Reader& reader) : in(reader) {}

  Reader& in;
  ManifestStorage storage;
  Names tableNames;
  Names fieldNames;
  Names blockNames;
  Names samplerNames;
  std::vector<Table> tables;
  std::vector<Binding> bindings;
  std::vector<Field> fields;
  std::vector<IndirectBlock> blocks;
  std::vector<Program> programs;
  std::vector<Shader> shaders;
  std::vector<Mapping> mappings;
  std::vector<ExternalRange> externalRanges;
  std::vector<SamplerInfo> samplers;
  std::vector<uint32_t> immutableSamplers;
  std::vector<SlotConstant> slotConstants;

  ManifestStorage run(const Place& root) {
    in.check_keys(
        root, {"$schema", "formatVersion", "regions", "externalRanges", "tables", "pushData",
               "shaderRecord", "indirectBlocks", "samplers", "regionBases", "programs", "blocks"});
    const Place tableList = in.member(root, "tables");
    const Place rangeList = in.member(root, "externalRanges");
    const Place programList = in.member(root, "programs");
    const Place blockList = optional(root, "indirectBlocks");
    const Place samplerList = optional(root, "samplers");
    const Place pushData = in.member(root, "pushData");
    const Place record = optional(root, "shaderRecord");
    tableNames = index_names(tableList);
    blockNames = index_names(blockList);
    samplerNames = index_names(samplerList);
    index_names(rangeList);
    index_names(programList);
    index_fields(in.member(pushData, "fields"));
    if (record.value != nullptr) index_fields(in.member(record, "fields"));
    for (size_t i = 0; i < in.length(blockList); ++i) {
      const Place block = in.element(blockList, i);
      index_fields(in.member(block, "fields"));
    }

    for (size_t i = 0; i < in.length(rangeList); ++i)
      external_range(in.element(rangeList, i));
    for (size_t i = 0; i < in.length(samplerList); ++i)
      sampler(in.element(samplerList, i));
    for (size_t i = 0; i < in.length(tableList); ++i)
      table(in.element(tableList, i));
    field_list(in.member(pushData, "fields"), FieldSpace::PushData, kNone);
    if (record.value != nullptr) {
      field_list(in.member(record, "fields"), FieldSpace::ShaderRecord, kNone);
    }
    for (uint32_t i = 0; i < in.length(blockList); ++i)
      indirect_block(in.element(blockList, i), i);
    for (size_t i = 0; i < in.length(programList); ++i)
      program(in.element(programList, i));
    if (in.has(root, "regionBases")) {
      storage.manifest.regionBases = in.choice(in.member(root, "regionBases"), kRegionBases);
    }
    keep_arrays();
    return std::move(storage);
  }

  /// A member that may be absent, and then is an empty list or object.
  Place optional(const Place& object, std::string_view key) {
    return in.has(object, key) ? in.member(object, key) : Place{nullptr, &object, key, 0};
  }

  /// The fields of all lists share one set of names.
  void index_fields(const Place& list) {
    for (size_t i = 0; i < in.length(list); ++i) {
      const Place entry = in.element(list, i);
      const Place nameOf = in.member(entry, "name");
      const auto index = static_cast<uint32_t>(fieldNames.size());
      if (!fieldNames.emplace(in.name(nameOf), index).second) {
        in.fail(nameOf, "'", in.text(nameOf), "' is the name of two");
      }
    }
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

  void sampler(const Place& place) {
    samplers.push_back(read_sampler(in, place));
    samplers.back().name = storage.keep(in.text(in.member(place, "name")));
  }

  void table(const Place& place) {
    in.check_keys(place, {"name", "set", "residence", "instances", "samplerInstances", "indexField",
                          "samplerIndexField", "slots", "bindings"});
    Table table;
    table.name = storage.keep(in.text(in.member(place, "name")));
    table.set = in.number32(in.member(place, "set"));
    const Place residence = in.member(place, "residence");
    table.residence = in.choice(residence, kResidences);
    if (!is_table_residence(table.residence)) {
      in.fail(residence, "'", in.text(residence), "' is a binding's");
    }
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
      binding(in.element(list, i), first, self, table.residence);
    table.bindings = range_since(first, bindings.size());
    tables.push_back(table);
  }

  void binding(const Place& place, size_t firstOfTable, uint32_t table, Residence residence) {
    in.check_keys(place, {"name", "binding", "descriptorType", "array", "count", "capacity", "dims",
                          "stages", "used", "minBufferSize", "views", "slot", "samplerSlot",
                          "residence", "slotsPerElement", "samplerPlacement", "immutableSamplers"});
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
    binding.residence = residence;
    if (in.has(place, "residence")) {
      const Place own = in.member(place, "residence");
      binding.residence = in.choice(own, kResidences);
      if (is_table_residence(binding.residence)) {
        in.fail(own, "'", in.text(own), "' is a table's");
      }
    }
    array(place, binding);
    immutable_samplers(place, binding);
    binding.stages = in.bits(in.member(place, "stages"), kStages);
    const bool isBuffer = binding.type == DescriptorType::UniformBuffer ||
                          binding.type == DescriptorType::StorageBuffer;
    if (isBuffer) {
      binding.minBufferSize = in.number(in.member(place, "minBufferSize"), 0, UINT64_MAX);
    } else if (in.has(place, "minBufferSize")) {
      in.fail(in.member(place, "minBufferSize"), "only a uniform or storage buffer has one");
    }
    without_descriptor(place, binding);
    check_notes(place, binding);
    bindings.push_back(binding);
  }

  /// VUID-VkShaderDescriptorSetAndBindingMappingInfoEXT 11315, 11318
  void without_descriptor(const Place& place, const Binding& binding) {
    if (is_table_residence(binding.residence)) return;
    const bool address = binding.residence == Residence::PushAddress ||
                         binding.residence == Residence::IndirectAddress ||
                         binding.residence == Residence::RecordAddress;
    const bool fits = binding.type == DescriptorType::UniformBuffer ||
                      (address && (binding.type == DescriptorType::StorageBuffer ||
                                   binding.type == DescriptorType::AccelerationStructureKHR));
    if (!fits || binding.arrayKind != ArrayKind::None) {
      in.fail(in.member(place, "residence"), "this binding needs a descriptor");
    }
  }

  void immutable_samplers(const Place& place, Binding& binding) {
    if (in.has(place, "slotsPerElement")) {
      const Place slots = in.member(place, "slotsPerElement");
      binding.slotsPerElement = in.number32(slots, 1);
      if (binding.slotsPerElement != 1 && binding.slotsPerElement != kYcbcrSlots) {
        in.fail(slots, "is 1, or ", kYcbcrSlots, " for what converts from YCbCr");
      }
      if (binding.type != DescriptorType::CombinedImageSampler) {
        in.fail(slots, "only a combined image sampler has it");
      }
    }
    if (!in.has(place, "samplerPlacement")) return;
    const Place placement = in.member(place, "samplerPlacement");
    binding.samplerPlacement = in.choice(placement, kPlacements);
    if (!has_samplers(binding.type)) in.fail(placement, "the binding has no samplers");
    const Place list = in.member(place, "immutableSamplers");
    const size_t first = immutableSamplers.size();
    for (size_t i = 0; i < in.length(list); ++i) {
      const Place name = in.element(list, i);
      immutableSamplers.push_back(look_up(samplerNames, name));
      if (immutableSamplers.back() < samplers.size()) {
        placement_fits(name, binding, samplers[immutableSamplers.back()]);
      }
    }
    binding.immutableSamplers = range_since(first, immutableSamplers.size());
    const uint32_t count = binding.immutableSamplers.count;
    if (count != 1 && count != binding.capacity) {
      in.fail(list, "names ", count, " samplers for ", binding.capacity, " elements");
    }
  }

  /// VUID-vkWriteSamplerDescriptorsEXT-pSamplers 11204, VkDescriptorSetAndBindingMappingEXT 11445
  void placement_fits(const Place& place, const Binding& binding, const SamplerInfo& sampler) {
    const bool embedded = binding.samplerPlacement == SamplerPlacement::Embedded;
    if (sampler.convertsYcbcr != (binding.slotsPerElement == kYcbcrSlots)) {
      in.fail(place, "'", sampler.name, "' contradicts the slotsPerElement");
    } else if (sampler.convertsYcbcr && !embedded) {
      in.fail(place, "'", sampler.name, "' converts from YCbCr and must be embedded (11204)");
    } else if (embedded && has_custom_border_color(sampler)) {
      in.fail(place, "'", sampler.name, "' has a border colour that cannot be embedded (11445)");
    }
  }

  void array(const Place& place, Binding& binding) {
    binding.arrayKind = in.choice(in.member(place, "array"), kArrayKinds);
    const Place capacity = in.member(place, "capacity");
    binding.capacity = in.number32(capacity, 1);
    const bool copies = binding.residence == Residence::HeapData;
    if (binding.arrayKind == ArrayKind::None && binding.capacity != 1 && !copies) {
      in.fail(capacity, "a binding that is no array has one element");
    }
    const Place count = in.member(place, "count");
    if (binding.arrayKind == ArrayKind::Runtime) {
      if (in.text(count) != "runtime") in.fail(count, "a runtime array's is 'runtime'");
    } else if (in.number32(count, 1) != (copies ? 1 : binding.capacity)) {
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
      in.check_keys(view, {"name", "blockName", "block", "counterBuffer", "userType",
                           "inputAttachmentIndex", "comparison", "usesLength"});
      [[maybe_unused]] std::string_view name = in.text(in.member(view, "name"));
      if (in.has(view, "blockName")) name = in.text(in.member(view, "blockName"));
    }
  }

  void indirect_block(const Place& place, uint32_t index) {
    in.check_keys(place, {"name", "size", "addressField", "fields"});
    blocks.push_back({.name = storage.keep(in.text(in.member(place, "name"))),
                      .size = in.number32(in.member(place, "size")),
                      .addressField = look_up(fieldNames, in.member(place, "addressField"))});
    field_list(in.member(place, "fields"), FieldSpace::Indirect, index);
  }

  void field_list(const Place& list, FieldSpace space, uint32_t block) {
    for (size_t i = 0; i < in.length(list); ++i)
      field(in.element(list, i), space, block);
  }

  void field(const Place& place, FieldSpace space, uint32_t block) {
    in.check_keys(place, {"name", "kind", "table", "binding", "block", "offset", "size"});
    Field field{.name = storage.keep(in.text(in.member(place, "name"))),
                .kind = in.choice(in.member(place, "kind"), kFieldKinds),
                .space = space,
                .table = look_up_if_there(tableNames, place, "table"),
                .binding = kNone,
                .block = block};
    if (in.has(place, "binding")) {
      const Place number = in.member(place, "binding");
      if (field.table < tables.size()) {
        field.binding = find_by_number(field.table, in.number32(number));
      }
      if (field.binding == kNone) in.fail(number, "its table has no such binding");
    }
    if (field.kind == FieldKind::BlockAddress) {
      field.block = look_up(blockNames, in.member(place, "block"));
    }
    const Place offset = in.member(place, "offset");
    field.offset = in.number32(offset);
    field.size = in.number32(in.member(place, "size"), 4);
    if (field.offset > UINT32_MAX - field.size) in.fail(offset, "is beyond all memory");
    fields.push_back(field);
  }

  void program(const Place& place) {
    in.check_keys(place, {"name", "pushConstants", "recordBlockSize", "shaders", "mappings"});
    Program program;
    program.name = storage.keep(in.text(in.member(place, "name")));
    if (in.has(place, "pushConstants")) push_constants(in.member(place, "pushConstants"), program);
    if (in.has(place, "recordBlockSize")) {
      program.recordBlockSize = in.number32(in.member(place, "recordBlockSize"), 1);
    }
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
                          "specializationConstants", "slotConstants", "pushConstantBlock",
                          "heapAccesses"});  // for people and other tools, as "blocks" are
    const Place file = in.member(place, "file");
    const std::string_view path = in.name(file);
    if (path.starts_with('/') || path.starts_with('\\') || path.find(':') != path.npos) {
      in.fail(file, "is relative to the manifest's folder");
    }
    const Place hash = in.member(place, "sha256");
    if (hash.value != nullptr && !is_sha256(in.text(hash))) {
      in.fail(hash, "is no SHA-256 in lower-case hexadecimal digits");
    }
    bool rewritten = false;
    if (in.has(place, "form")) {
      const Place form = in.member(place, "form");
      rewritten = in.text(form) == "rewritten";
      if (!rewritten && in.text(form) != "mapped") {
        in.fail(form, "'", in.text(form), "' is not known here");
      }
    }
    if (in.has(place, "specializationConstants")) {
      const Place constants = in.member(place, "specializationConstants");
      for (size_t i = 0; i < in.length(constants); ++i)
        constant(in.element(constants, i));
    }
    const size_t firstConstant = slotConstants.size();
    if (in.has(place, "slotConstants")) {
      const Place constants = in.member(place, "slotConstants");
      for (size_t i = 0; i < in.length(constants); ++i)
        slot_constant(in.element(constants, i));
    }
    shaders.push_back({.file = storage.keep(path),
                       .entryPoint = storage.keep(in.text(in.member(place, "entryPoint"))),
                       .sha256 = storage.keep(in.text(hash)),
                       .stage = in.choice(in.member(place, "stage"), kStages),
                       .rewritten = rewritten,
                       .slotConstants = range_since(firstConstant, slotConstants.size())});
  }

  void constant(const Place& place) {
    in.check_keys(place, {"specId", "name", "type", "defaultBits"});
    [[maybe_unused]] uint64_t number = in.number32(in.member(place, "specId"));
    number = in.number(in.member(place, "defaultBits"), 0, UINT64_MAX);
    [[maybe_unused]] std::string_view text = in.text(in.member(place, "name"));
    text = in.name(in.member(place, "type"));
  }

  /// What says which number it is depends on `what`; check_slot_constants() knows the rules.
  void slot_constant(const Place& place) {
    in.check_keys(place, {"specId", "what", "class", "table", "binding", "default"});
    SlotConstant constant{.specId = in.number32(in.member(place, "specId")),
                          .number = in.choice(in.member(place, "what"), kSlotNumbers)};
    const bool ofBinding =
        constant.number == SlotNumber::ResourceSlot || constant.number == SlotNumber::SamplerSlot;
    const bool ofTable = ofBinding || constant.number == SlotNumber::SlotsPerInstance;
    if (ofTable) constant.table = look_up(tableNames, in.member(place, "table"));
    if (!ofBinding) {
      constant.descriptorClass = in.choice(in.member(place, "class"), kClasses);
    } else if (constant.table < tables.size()) {
      const Place number = in.member(place, "binding");
      constant.binding = find_by_number(constant.table, in.number32(number));
      if (constant.binding == kNone) in.fail(number, "the table has no such binding");
    }
    slotConstants.push_back(constant);
  }

  void mapping(const Place& place) {
    in.check_keys(place, {"set", "binding", "table", "resourceMask", "source", "part", "field",
                          "useCombinedImageSamplerIndex", "embeddedSampler", "heapOffset",
                          "heapArrayStride", "heapIndexStride", "samplerHeapOffset",
                          "samplerHeapArrayStride", "samplerHeapIndexStride", "samplerField"});
    Mapping mapping;
    mapping.set = in.number32(in.member(place, "set"));
    const Place number = in.member(place, "binding");
    const uint32_t table = look_up(tableNames, in.member(place, "table"));
    if (table < tables.size()) mapping.binding = find_by_number(table, in.number32(number));
    if (mapping.binding == kNone) in.fail(number, "the table has no such binding");
    mapping.resourceMask = in.bits(in.member(place, "resourceMask"), kResourceTypes);
    mapping.source = in.choice(in.member(place, "source"), kSources);
    mapping.part = in.choice(in.member(place, "part"), kParts);
    mapping.field = look_up_if_there(fieldNames, place, "field");
    mapping.samplerField = look_up_if_there(fieldNames, place, "samplerField");
    mapping.embeddedSampler = look_up_if_there(samplerNames, place, "embeddedSampler");
    if (in.has(place, "useCombinedImageSamplerIndex")) {
      mapping.packedIndex = in.boolean(in.member(place, "useCombinedImageSamplerIndex"));
    }
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
    manifest.fields = storage.keep(fields);
    manifest.indirectBlocks = storage.keep(blocks);
    manifest.programs = storage.keep(programs);
    manifest.shaders = storage.keep(shaders);
    manifest.mappings = storage.keep(mappings);
    manifest.externalRanges = storage.keep(externalRanges);
    manifest.samplers = storage.keep(samplers);
    manifest.immutableSamplers = storage.keep(immutableSamplers);
    manifest.slotConstants = storage.keep(slotConstants);
  }
};

}  // namespace

ManifestStorage read_manifest(Reader& reader, const Place& root) {
  State state{reader};
  return state.run(root);
}

}  // namespace heapsmith::detail
