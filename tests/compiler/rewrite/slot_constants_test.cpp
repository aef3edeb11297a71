// SPDX-License-Identifier: MIT
// Slots that overrides and region bases change are specialization constants; set to what resolve()
// says, they must find what it places.
#include "rewrite/slot_constants.h"

#include <algorithm>
#include <format>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "compiler/rewrite/folding_device.h"
#include "compiler/rewrite/rewritten.h"
#include "heapsmith/resolve.h"
#include "input/device_profile.h"
#include "rewrite/place_bindings.h"

namespace heapsmith::rewrite {
namespace {

using test::Device;

/// A manifest of a program with one entry point that reads each of its bindings once, the last
/// element that all capacities have.
class Sample {
 public:
  void add_table(Residence residence, uint32_t instances = 1) {
    const auto table = static_cast<uint32_t>(tables_.size());
    tables_.push_back({.name = "t",
                       .set = table,
                       .residence = residence,
                       .instances = instances,
                       .samplerInstances = instances,
                       .bindings = {static_cast<uint32_t>(bindings_.size()), 0}});
    if (residence != Residence::Indexed) return;
    tables_.back().indexField = add_field(FieldKind::TableIndex, table);
    tables_.back().samplerIndexField = add_field(FieldKind::SamplerIndex, table);
  }

  void add(DescriptorType type, ArrayKind kind = ArrayKind::None, uint32_t capacity = 1) {
    Table& table = tables_.back();
    bindings_.push_back({.name = "b",
                         .table = static_cast<uint32_t>(tables_.size() - 1),
                         .binding = table.bindings.count++,
                         .type = type,
                         .arrayKind = kind,
                         .capacity = capacity,
                         .residence = table.residence});
  }

  void add_range(DescriptorClass descriptorClass, uint32_t slots) {
    ranges_.push_back({"range", descriptorClass, slots});
  }

  [[nodiscard]] Manifest manifest(RegionBases bases = RegionBases::Sizes) const {
    return {.tables = tables_,
            .bindings = bindings_,
            .fields = fields_,
            .externalRanges = ranges_,
            .regionBases = bases};
  }

  /// All but scattered ones.
  [[nodiscard]] std::vector<uint32_t> read_bindings() const {
    std::vector<uint32_t> read;
    for (uint32_t i = 0; i < bindings_.size(); ++i)
      if (bindings_[i].residence != Residence::Scattered) read.push_back(i);
    return read;
  }

  [[nodiscard]] static uint32_t element_of(const Binding& binding) {
    return binding.arrayKind == ArrayKind::None ? 0 : 1;
  }

  [[nodiscard]] std::string shader() const {
    test::Parts parts;
    parts.capabilities =
        "OpCapability RuntimeDescriptorArray\n"
        "OpExtension \"SPV_EXT_descriptor_indexing\"\n";
    parts.decorations = "OpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0\n";
    parts.declarations = R"(
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %zero = OpConstant %uint 0
        %one = OpConstant %uint 1
        %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %sampler = OpTypeSampler
        %Block = OpTypeStruct %uint
        %toUint = OpTypePointer Uniform %uint
        %toImage = OpTypePointer UniformConstant %image
        %toSampler = OpTypePointer UniformConstant %sampler
)";
    for (const uint32_t i : read_bindings())
      add_variable(parts, i);
    return test::shader(parts);
  }

 private:
  uint32_t add_field(FieldKind kind, uint32_t table) {
    const auto index = static_cast<uint32_t>(fields_.size());
    fields_.push_back({.name = "f", .kind = kind, .table = table, .offset = 4 * index});
    return index;
  }

  void add_variable(test::Parts& parts, uint32_t index) const {
    const Binding& binding = bindings_[index];
    const bool isBuffer = binding.type == DescriptorType::UniformBuffer;
    const bool isImage = binding.type == DescriptorType::SampledImage;
    const std::string type = isBuffer ? "Block" : isImage ? "image" : "sampler";
    const std::string storage = isBuffer ? "Uniform" : "UniformConstant";
    std::string declared = type;
    if (binding.arrayKind != ArrayKind::None) {
      declared = std::format("array{}", index);
      parts.declarations +=
          binding.arrayKind == ArrayKind::Runtime
              ? std::format("%{} = OpTypeRuntimeArray %{}\n", declared, type)
              : std::format("%n{0} = OpConstant %uint {2}\n%{1} = OpTypeArray %{3} %n{0}\n", index,
                            declared, binding.capacity, type);
    }
    parts.declarations +=
        std::format("%pointer{0} = OpTypePointer {1} %{2}\n%b{0} = OpVariable %pointer{0} {1}\n",
                    index, storage, declared);
    parts.decorations +=
        test::place(std::format("b{}", index), static_cast<int>(tables_[binding.table].set),
                    static_cast<int>(binding.binding));
    parts.decorations += std::format("OpName %x{0} \"x{0}\"\n", index);
    const std::string element = declared == type ? "" : "%one";
    if (isBuffer) {
      parts.body +=
          std::format("%a{0} = OpAccessChain %toUint %b{0} {1} %zero\n%x{0} = OpLoad %uint %a{0}\n",
                      index, element);
      return;
    }
    std::string pointer = std::format("b{}", index);
    if (!element.empty()) {
      pointer = std::format("a{}", index);
      parts.body += std::format("%{} = OpAccessChain %{} %b{} {}\n", pointer,
                                isImage ? "toImage" : "toSampler", index, element);
    }
    parts.body += std::format("%x{} = OpLoad %{} %{}\n", index, type, pointer);
  }

  std::vector<Table> tables_;
  std::vector<Binding> bindings_;
  std::vector<Field> fields_;
  std::vector<ExternalRange> ranges_;
};

struct Rewritten {
  std::vector<uint32_t> words;
  std::vector<SlotConstant> constants;
};

Rewritten rewrite(const Sample& sample, RegionBases bases = RegionBases::Sizes,
                  const std::set<uint32_t>& taken = {}, bool glsl = false) {
  const Manifest manifest = sample.manifest(bases);
  const auto slots = assign_slots(manifest);
  REQUIRE(slots.has_value());
  const auto chosen = SlotConstants::choose(manifest, bases, taken, glsl);
  REQUIRE(chosen.has_value());
  const auto bindings = sample.read_bindings();
  Placements placements = place_bindings(manifest, *slots, bindings);
  chosen->specialize(manifest, bindings, placements);
  if (glsl) chosen->specialize_sizes(placements);
  Rewritten rewritten;
  rewritten.words = test::rewritten_words(sample.shader(), 0x00010300, &placements);
  rewritten.constants = chosen->declared_by(rewritten.words);
  return rewritten;
}

/// What the manifest and the options are checked with, on one device.
struct Check {
  const Sample& sample;
  const Manifest& manifest;
  const spirv::Module& module;
  const std::vector<SlotConstant>& constants;
  const DeviceLimits& limits;

  void run(const ResolveOptions& options) const {
    const auto layout = resolve(manifest, limits, options);
    INFO((layout ? std::string() : layout.error().text));
    REQUIRE(layout.has_value());
    Device device{.module = module, .limits = limits, .instance = 1};
    for (const SlotConstant& constant : constants)
      device.specialization[constant.specId] = slot_number(manifest, *layout, constant);
    for (const uint32_t i : sample.read_bindings()) {
      const Binding& binding = manifest.bindings[i];
      const uint32_t instance = binding.residence == Residence::Static ? 0 : 1;
      const uint32_t element = Sample::element_of(binding);
      INFO("binding " << i);
      CHECK(device.offset_behind(std::format("x{}", i)) ==
            (is_resource(binding.type)
                 ? resource_offset(manifest, *layout, {i}, element, instance)
                 : sampler_offset(manifest, *layout, {i}, element, instance)));
    }
  }
};

template <typename Run>
void on_every_device(const Sample& sample, const Manifest& manifest, const Rewritten& rewritten,
                     Run run) {
  const spirv::Module module = spirv::test::parsed(rewritten.words);
  for (const std::string_view name : input::built_in_profiles()) {
    Diagnostics diagnostics;
    const auto profile = input::load_device_profile(std::string(name), diagnostics);
    REQUIRE(profile.has_value());
    INFO(name);
    run(Check{sample, manifest, module, rewritten.constants, profile->limits});
  }
}

/// Tables and bindings of all kinds, in any order.
Sample random_sample(std::mt19937& random) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  constexpr DescriptorType kTypes[] = {DescriptorType::SampledImage, DescriptorType::UniformBuffer,
                                       DescriptorType::Sampler};
  constexpr Residence kResidences[] = {Residence::Static, Residence::Indexed, Residence::Scattered};
  Sample sample;
  if (below(2) == 0) sample.add_range(DescriptorClass::Image, 1 + below(9));
  if (below(2) == 0) sample.add_range(DescriptorClass::Buffer, 1 + below(9));
  const uint32_t tables = 1 + below(4);
  for (uint32_t t = 0; t < tables; ++t) {
    const Residence residence = kResidences[below(3)];
    sample.add_table(residence, residence == Residence::Static ? 1 : 2 + below(5));
    const uint32_t bindings = 1 + below(5);
    for (uint32_t b = 0; b < bindings; ++b) {
      const DescriptorType type = kTypes[below(3)];
      const uint32_t kind = below(4);
      if (kind < 2)
        sample.add(type);
      else
        sample.add(type, kind == 2 ? ArrayKind::Fixed : ArrayKind::Runtime, 2 + below(6));
    }
  }
  return sample;
}

/// Other counts for about half of what can have some.
struct Overrides {
  std::vector<InstanceOverride> instances;
  std::vector<CapacityOverride> capacities;

  Overrides(const Manifest& manifest, std::mt19937& random) {
    for (uint32_t t = 0; t < manifest.tables.size(); ++t) {
      if (!can_override_instances(manifest, {t}) || random() % 2 == 0) continue;
      const uint32_t count = 2 + static_cast<uint32_t>(random() % 50);
      instances.push_back({.table = {t}, .instances = count, .samplerInstances = 2});
    }
    for (uint32_t b = 0; b < manifest.bindings.size(); ++b) {
      if (!can_override_capacity(manifest, {b}) || random() % 2 == 0) continue;
      const bool isBounded = manifest.bindings[b].residence == Residence::Scattered;
      const uint32_t count = isBounded ? 1 : 2 + static_cast<uint32_t>(random() % 50);
      capacities.push_back({.binding = {b}, .capacity = count});
    }
  }
  [[nodiscard]] ResolveOptions options() const {
    return {.instances = instances, .capacities = capacities};
  }
};

/// Specialization constants of a module that have a SpecId.
size_t count_spec_ids(const std::vector<uint32_t>& words) {
  const std::string text = spirv::test::text_of(words);
  size_t count = 0;
  for (size_t at = text.find(" SpecId "); at != text.npos; at = text.find(" SpecId ", at + 1))
    ++count;
  return count;
}

std::vector<std::string> texts_of(const std::vector<SlotConstant>& constants) {
  std::vector<std::string> texts;
  for (const SlotConstant& constant : constants) {
    std::string text = std::format("{} {}", constant.specId, to_string(constant.number));
    if (constant.binding == kNone) text += std::format(" {}", to_string(constant.descriptorClass));
    if (constant.table != kNone) text += std::format(" table {}", constant.table);
    if (constant.binding != kNone) text += std::format(" binding {}", constant.binding);
    texts.push_back(text);
  }
  return texts;
}

}  // namespace

TEST_CASE("slots that overrides move are found on every device", "[rewrite]") {
  std::mt19937 random(7);
  size_t constants = 0;
  for (int round = 0; round < 24; ++round) {
    INFO("round " << round);
    const Sample sample = random_sample(random);
    const Manifest manifest = sample.manifest();
    const Rewritten rewritten = rewrite(sample);
    constants += rewritten.constants.size();
    CHECK(count_spec_ids(rewritten.words) == rewritten.constants.size());
    on_every_device(sample, manifest, rewritten, [&](const Check& check) {
      check.run({});
      for (int i = 0; i < 3; ++i)
        check.run(Overrides(manifest, random).options());
    });
  }
  CHECK(constants > 24);
}

TEST_CASE("slots in regions that begin elsewhere are found on every device", "[rewrite]") {
  std::mt19937 random(8);
  for (int round = 0; round < 12; ++round) {
    INFO("round " << round);
    const Sample sample = random_sample(random);
    const Manifest manifest = sample.manifest(RegionBases::Specialization);
    const Rewritten rewritten = rewrite(sample, RegionBases::Specialization);
    on_every_device(sample, manifest, rewritten, [&](const Check& check) {
      check.run({});
      const Overrides overrides(manifest, random);
      ResolveOptions options = overrides.options();
      options.regionBases[static_cast<size_t>(DescriptorClass::Buffer)] = 77;
      options.regionBases[static_cast<size_t>(DescriptorClass::Image)] = 20'000;
      options.regionBases[static_cast<size_t>(DescriptorClass::Sampler)] = 5;
      check.run(options);
    });
  }
}

TEST_CASE("slots without an expression of sizes are found on every device", "[rewrite][glsl]") {
  std::mt19937 random(9);
  for (int round = 0; round < 12; ++round) {
    INFO("round " << round);
    const Sample sample = random_sample(random);
    const Manifest manifest = sample.manifest();
    const Rewritten rewritten = rewrite(sample, RegionBases::Sizes, {}, /*glsl=*/true);
    const spirv::Module module = spirv::test::parsed(rewritten.words);
    for (const spirv::Instruction operation : module.declarations()) {
      if (operation.op() != spv::Op::OpSpecConstantOp) continue;
      for (const uint32_t operand : operation.words_from(4))
        CHECK(module.definition(operand).op() != spv::Op::OpConstantSizeOfEXT);
    }
    on_every_device(sample, manifest, rewritten, [&](const Check& check) {
      check.run({});
      check.run(Overrides(manifest, random).options());
    });
  }
}

TEST_CASE("what cannot change stays a literal", "[rewrite]") {
  Sample sample;
  sample.add_table(Residence::Static);
  sample.add(DescriptorType::SampledImage, ArrayKind::Fixed, 3);
  sample.add(DescriptorType::UniformBuffer);
  sample.add(DescriptorType::Sampler);
  const Rewritten rewritten = rewrite(sample);
  CHECK(rewritten.constants.empty());
  CHECK(count_spec_ids(rewritten.words) == 0);
}

TEST_CASE("only what comes behind counts that can be overridden is specialized", "[rewrite]") {
  Sample sample;
  sample.add_table(Residence::Static);
  sample.add(DescriptorType::SampledImage);                         // before all that changes
  sample.add(DescriptorType::SampledImage, ArrayKind::Runtime, 8);  // begins at a fixed slot
  sample.add(DescriptorType::SampledImage);                         // moves
  sample.add(DescriptorType::UniformBuffer);                        // behind the image region
  sample.add_table(Residence::Indexed, 3);
  sample.add(DescriptorType::UniformBuffer);
  sample.add(DescriptorType::Sampler, ArrayKind::Runtime, 4);
  sample.add_table(Residence::Static);
  sample.add(DescriptorType::UniformBuffer);
  sample.add(DescriptorType::Sampler);
  CHECK(texts_of(rewrite(sample).constants) ==
        std::vector<std::string>{
            "65536 regionSlots image", "65538 slotsPerInstance sampler table 1",
            "65539 resourceSlot table 0 binding 2", "65540 resourceSlot table 2 binding 6",
            "65541 samplerSlot table 2 binding 7"});
}

TEST_CASE("SpecIds of the shaders' own are passed over", "[rewrite]") {
  Sample sample;
  sample.add_table(Residence::Static);
  sample.add(DescriptorType::UniformBuffer, ArrayKind::Runtime, 8);
  sample.add(DescriptorType::UniformBuffer);
  sample.add(DescriptorType::UniformBuffer);
  CHECK(texts_of(rewrite(sample, RegionBases::Sizes, {0, 65536, 65538}).constants) ==
        std::vector<std::string>{"65539 resourceSlot table 0 binding 1",
                                 "65540 resourceSlot table 0 binding 2"});
}

TEST_CASE("a region's first slot takes the place of what sizes tell", "[rewrite]") {
  Sample sample;
  sample.add_table(Residence::Static);
  sample.add(DescriptorType::SampledImage, ArrayKind::Runtime, 8);
  sample.add(DescriptorType::UniformBuffer);
  CHECK(texts_of(rewrite(sample, RegionBases::Specialization).constants) ==
        std::vector<std::string>{"65536 regionFirstSlot image", "65537 regionFirstSlot buffer"});
}

TEST_CASE("GLSL is told where buffers begin, behind images", "[rewrite][glsl]") {
  Sample sample;
  sample.add_table(Residence::Static);
  sample.add(DescriptorType::UniformBuffer);
  const auto texts = [&](RegionBases bases) {
    return texts_of(rewrite(sample, bases, {}, /*glsl=*/true).constants);
  };
  CHECK(texts(RegionBases::Sizes).empty());
  sample.add(DescriptorType::SampledImage);
  CHECK(texts(RegionBases::Sizes) == std::vector<std::string>{"65536 regionFirstSlot buffer"});
  CHECK(texts(RegionBases::Specialization) ==
        std::vector<std::string>{"65536 regionFirstSlot image", "65537 regionFirstSlot buffer"});
  CHECK(rewrite(sample).constants.empty());
}

TEST_CASE("numbers that no heap has are refused", "[rewrite]") {
  Sample sample;
  sample.add_table(Residence::Indexed, 2);
  for (int i = 0; i < 70'000; ++i)
    sample.add(DescriptorType::UniformBuffer, ArrayKind::Fixed, UINT32_MAX);
  const auto chosen = SlotConstants::choose(sample.manifest(), RegionBases::Sizes, {});
  REQUIRE_FALSE(chosen.has_value());
  CHECK(chosen.error().code == ErrorCode::ResourceHeapTooLarge);
}

}  // namespace heapsmith::rewrite
