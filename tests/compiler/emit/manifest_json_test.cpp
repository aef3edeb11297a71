// SPDX-License-Identifier: MIT
#include "emit/manifest_json.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <vector>

#include "emit/sample_content.h"
#include "heapsmith/manifest_json.h"
#include "heapsmith/sampler_members.h"
#include "plan/random_programs.h"

namespace heapsmith::emit {
namespace {

std::string line(const Table& t) {
  return std::format("{} {} {} {} {} {}+{} {} {}", t.name, t.set, to_string(t.residence),
                     t.instances, t.samplerInstances, t.bindings.first, t.bindings.count,
                     t.indexField, t.samplerIndexField);
}
std::string line(const Binding& b) {
  return std::format("{} {} {} {} {} {} {} {} {} {} {}+{} {}", b.name, b.table, b.binding,
                     to_string(b.type), to_string(b.arrayKind), b.capacity, b.stages,
                     b.minBufferSize, to_string(b.residence), to_string(b.samplerPlacement),
                     b.immutableSamplers.count == 0 ? 0 : b.immutableSamplers.first,
                     b.immutableSamplers.count, b.slotsPerElement);
}
std::string line(const Field& f) {
  return std::format("{} {} {} {} {} {} {} {}", f.name, to_string(f.kind), to_string(f.space),
                     f.table, f.binding, f.block, f.offset, f.size);
}
std::string line(const IndirectBlock& b) {
  return std::format("{} {} {}", b.name, b.size, b.addressField);
}
std::string line(const SamplerInfo& s) {
  std::string text = std::format("{} {}", s.name, s.flags);
  for (const auto& [key, kind, member] : kSamplerEnums)
    text += std::format(" {}", s.*member);
  for (const auto& [key, member] : kSamplerNumbers)
    text += std::format(" {}", s.*member);
  for (const auto& [key, member] : kSamplerFlags)
    text += std::format(" {}", s.*member);
  if (has_custom_border_color(s)) {
    for (const uint32_t bits : s.customBorderColor)
      text += std::format(" {:x}", bits);
    text += std::format(" {}", s.customBorderColorFormat);
  }
  if (!s.convertsYcbcr) return text;
  for (const auto& [key, kind, member] : kConversionEnums)
    text += std::format(" {}", s.conversion.*member);
  for (const uint32_t swizzle : s.conversion.components)
    text += std::format(" {}", swizzle);
  return text + std::format(" {}", s.conversion.forceExplicitReconstruction);
}
std::string line(const Program& p) {
  return std::format("{} {}+{} {}+{} {}+{} {}", p.name, p.shaders.first, p.shaders.count,
                     p.mappings.first, p.mappings.count, p.pushConstantOffset, p.pushConstantSize,
                     p.recordBlockSize);
}
std::string line(const Shader& s) {
  return std::format("{} {} {} {}", s.file, s.entryPoint, s.sha256, to_string(s.stage));
}
std::string line(const Mapping& m) {
  return std::format("{} {} {:#x} {} {} {} {} {} {}", m.set, m.binding, m.resourceMask,
                     to_string(m.source), to_string(m.part), m.field, m.samplerField, m.packedIndex,
                     m.embeddedSampler);
}
std::string line(const ExternalRange& r) {
  return std::format("{} {} {}", r.name, to_string(r.descriptorClass), r.slots);
}

/// Every field of a manifest, so that two can be compared and the difference read.
std::string describe(const Manifest& manifest) {
  std::string text =
      std::format("version {}.{}\n", manifest.formatVersionMajor, manifest.formatVersionMinor);
  const auto add = [&](const char* what, const auto& values) {
    for (const auto& value : values)
      text += std::format("{} {}\n", what, line(value));
  };
  add("table", manifest.tables);
  add("binding", manifest.bindings);
  add("field", manifest.fields);
  add("block", manifest.indirectBlocks);
  add("sampler", manifest.samplers);
  add("program", manifest.programs);
  add("shader", manifest.shaders);
  add("mapping", manifest.mappings);
  add("range", manifest.externalRanges);
  for (const uint32_t sampler : manifest.immutableSamplers)
    text += std::format("immutable {}\n", sampler);
  return text;
}

/// Writes and loads; both must be the same manifest. Gives the JSON.
std::string round_trip(const ManifestContent& content) {
  const ManifestStorage made = make_manifest(content);
  const auto slots = assign_slots(made.manifest);
  REQUIRE(slots);
  std::string json = manifest_json(content, made.manifest, *slots);
  const auto loaded = load_manifest_json(json);
  if (!loaded) FAIL(loaded.error().text << "\n" << json);
  CHECK(describe(loaded->manifest) == describe(made.manifest));
  return json;
}

TEST_CASE("manifest JSON: a small one loads as what it was") {
  const std::string json = round_trip(sample::content());
  CHECK(json.ends_with("}\n"));
  CHECK_FALSE(json.contains('\r'));
  CHECK(json == round_trip(sample::content()));
}

TEST_CASE("manifest JSON: nothing at all") {
  CHECK_FALSE(round_trip({}).empty());
}

TEST_CASE("manifest JSON: random plans load as what they were") {
  uint32_t written = 0;
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    plan::sample::Random random(seed);
    const auto programs = plan::sample::random_programs(random);
    const auto content =
        sample::content_of(programs, plan::sample::random_policy(random, programs));
    if (!content) continue;  // no room in the push data, or a wish that cannot be
    ++written;
    round_trip(*content);
  }
  CHECK(written > 1000);
}

TEST_CASE("manifest JSON: hostile names of shaders") {
  plan::NamedProgram program = {.name = "\"p\\\n\t\x01", .interface = {}};
  uint32_t number = 0;
  for (const char* name : {"$Globals", "a\"b", "back\\slash", "line\nbreak", "名前", "</script>",
                           "\x7f", "{", "null"}) {
    program.interface.bindings.push_back(
        sample::binding(0, number++, name, DescriptorType::SampledImage));
  }
  const auto content = sample::content_of({&program, 1}, {});
  REQUIRE(content);
  round_trip(*content);
}

// Names in SPIR-V and on disk need not be UTF-8. JSON has to be.
TEST_CASE("manifest JSON: names that are no UTF-8 do not break it") {
  plan::NamedProgram program = {.name = "p", .interface = {}};
  program.interface.bindings = {sample::binding(0, 0, "\xff", DescriptorType::SampledImage)};
  const auto content = sample::content_of({&program, 1}, {});
  REQUIRE(content);
  const ManifestStorage made = make_manifest(*content);
  const std::string json = manifest_json(*content, made.manifest, *assign_slots(made.manifest));
  const auto loaded = load_manifest_json(json);
  REQUIRE(loaded);
  CHECK(loaded->manifest.bindings[0].name == "\xef\xbf\xbd");
}

TEST_CASE("manifest JSON: numbers beyond 32 bits are exact") {
  plan::NamedProgram program = {.name = "p", .interface = {}};
  program.interface.bindings = {sample::binding(7, 0xFFFFFFFF, "b", DescriptorType::StorageBuffer)};
  program.interface.bindings[0].minBufferSize = UINT64_MAX;
  const auto content = sample::content_of({&program, 1}, {});
  REQUIRE(content);
  const std::string json = round_trip(*content);
  CHECK(json.contains("\"minBufferSize\": 18446744073709551615"));
  CHECK(json.contains("\"binding\": 4294967295"));
}

}  // namespace
}  // namespace heapsmith::emit
