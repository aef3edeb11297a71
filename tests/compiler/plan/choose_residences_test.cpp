// SPDX-License-Identifier: MIT
#include "plan/choose_residences.h"

#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <utility>
#include <vector>

#include "reflect/sample_shaders.h"

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

/// A binding of set 3, and what the policy says of it.
struct Item {
  ProgramBinding binding;
  BindingPolicy wish;
};

ProgramBinding of(DescriptorType type, uint64_t size = 16) {
  return {.set = 3, .name = "b", .type = type, .minBufferSize = size};
}
const ProgramBinding kBlock = of(DescriptorType::UniformBuffer);
const ProgramBinding kLarge = of(DescriptorType::UniformBuffer, 65);
const ProgramBinding kStorage = of(DescriptorType::StorageBuffer);
const ProgramBinding kImage = of(DescriptorType::SampledImage);

std::string text_of(const Residency& r) {
  return std::format("{} x{}{}{}", to_string(r.residence), r.instances,
                     r.indirectBlock.empty() ? "" : " in ", r.indirectBlock);
}

struct Context {
  Squeeze squeeze = Squeeze::Nothing;
  uint32_t stages = static_cast<uint32_t>(ShaderStage::Fragment);
  bool robust = false;
};

/// What was chosen, or the diagnostics.
struct Chosen {
  SetResidences residences;
  std::string text;  ///< "table | binding | binding"
};

Chosen choose(const SetPolicy& wish, const std::vector<Item>& items, const Context& context = {}) {
  std::vector<ProgramBinding> bindings;
  std::vector<BindingPolicy> wishes;
  for (const Item& item : items) {
    bindings.push_back(item.binding);
    wishes.push_back(item.wish);
  }
  Diagnostics diagnostics;
  auto made = choose_residences(
      {.set = 3,
       .wish = &wish,
       .bindings = bindings,
       .wishes = wishes,
       .context = {.programStages = context.stages, .robustBufferAccess = context.robust},
       .policyFile = "policy.json"},
      context.squeeze, diagnostics);
  CHECK(made.has_value() != diagnostics.has_errors());
  if (!made) return {{}, reflect::sample::describe(diagnostics)};
  Chosen chosen = {std::move(*made), {}};
  chosen.text = text_of(chosen.residences.table);
  for (const Residency& residency : chosen.residences.bindings)
    chosen.text += " | " + text_of(residency);
  return chosen;
}

std::string refusals(const Residency& residency) {
  std::string text;
  for (const Refusal& refusal : residency.refused)
    text += std::format("{}: {}\n", to_string(refusal.residence), refusal.reason);
  return text;
}

TEST_CASE("residences: without a word, everything is at a constant address") {
  const Chosen chosen = choose({}, {{kBlock}, {kStorage}, {kImage}});
  CHECK(chosen.text == "static x1 | static x1 | static x1 | static x1");
  CHECK(chosen.residences.table.reason == "one instance: a constant address is the fastest");
  CHECK(chosen.residences.bindings[0].reason == "as its table");
  CHECK(refusals(chosen.residences.table).empty());
}

TEST_CASE("residences: each frequency") {
  const auto with = [](Frequency frequency) {
    return choose({.frequency = frequency}, {{kImage}, {kBlock}, {kLarge}, {kStorage}});
  };
  CHECK(with(Frequency::Frame).text == "static x1 | static x1 | static x1 | static x1 | static x1");
  CHECK(with(Frequency::View).text ==
        "indexed x8 | indexed x8 | indexed x8 | indexed x8 | indexed x8");
  CHECK(with(Frequency::Material).text ==
        "indexed x1024 | indexed x1024 | indexed x1024 | indexed x1024 | indexed x1024");
  const Chosen draw = with(Frequency::Draw);
  CHECK(draw.text ==
        "indexed x4096 | indexed x4096 | pushData x1 | pushAddress x1 | pushAddress x1");
  CHECK(draw.residences.table.reason == "4096 instances, one a draw");
  CHECK(refusals(draw.residences.table) ==
        "static: has one instance only\n"
        "indirect: one more load than a pushed word\n");
  CHECK(draw.residences.bindings[1].reason == "a small block that is pushed whole");
  CHECK(draw.residences.bindings[2].reason == "a buffer that changes with every draw");
  CHECK(refusals(draw.residences.bindings[2]) == "pushData: 65 bytes, more than 64\n");
}

TEST_CASE("residences: instances without a frequency") {
  const Chosen many = choose({.instances = 5}, {{kImage}});
  CHECK(many.text == "indexed x5 | indexed x5");
  CHECK(many.residences.table.reason == "5 instances");
  const Chosen one = choose({.frequency = Frequency::Material, .instances = 1}, {{kImage}});
  CHECK(one.text == "static x1 | static x1");
  CHECK(one.residences.table.reason == "changes with every material, but has one instance");
  CHECK(choose({.frequency = Frequency::Frame, .instances = 3}, {}).text == "indexed x3");
}

TEST_CASE("residences: a binding's own frequency takes it out of its table") {
  CHECK(choose({.frequency = Frequency::Material}, {{kImage, {.frequency = Frequency::View}},
                                                    {kImage, {.frequency = Frequency::Frame}},
                                                    {kImage, {.instances = 2}},
                                                    {kBlock, {.frequency = Frequency::Draw}},
                                                    {kImage}})
            .text ==
        "indexed x1024 | indexed x8 | static x1 | indexed x2 | pushData x1 | indexed x1024");
}

TEST_CASE("residences: no address for what shaders write, nor against the rules") {
  ProgramBinding written = kStorage;
  written.isWritten = true;
  ProgramBinding measured = kStorage;
  measured.usesLength = true;
  ProgramBinding array = kBlock;
  array.arrayKind = ArrayKind::Fixed;
  const Chosen chosen =
      choose({.frequency = Frequency::Draw}, {{written}, {measured}, {array}, {kImage}});
  CHECK(chosen.text ==
        "indexed x4096 | indexed x4096 | indexed x4096 | indexed x4096 | indexed x4096");
  CHECK(refusals(chosen.residences.bindings[0]) ==
        "pushAddress: shaders write to it, and nothing would bound their writes\n");
  CHECK(refusals(chosen.residences.bindings[1]) ==
        "pushAddress: a shader asks for its length, which an address lacks (11378)\n");
  CHECK(refusals(chosen.residences.bindings[2]) ==
        "pushData: an array needs descriptors (11315)\n"
        "pushAddress: an array needs descriptors (11318)\n");
  CHECK(refusals(chosen.residences.bindings[3]).empty());
  const Chosen robust =
      choose({.frequency = Frequency::Draw}, {{kBlock}, {kStorage}}, {.robust = true});
  CHECK(robust.text == "indexed x4096 | indexed x4096 | indexed x4096");
}

TEST_CASE("residences: dynamic buffers") {
  const auto dynamic = [](const ProgramBinding& binding, const BindingPolicy& more = {},
                          const Context& context = {}) {
    BindingPolicy wish = more;
    wish.legacyType = binding.type == DescriptorType::UniformBuffer
                          ? LegacyType::UniformBufferDynamic
                          : LegacyType::StorageBufferDynamic;
    return choose({}, {{binding, wish}}, context).text;
  };
  CHECK(dynamic(kBlock) == "static x1 | pushAddress x1");
  CHECK(dynamic(kLarge) == "static x1 | pushAddress x1");
  CHECK(dynamic(kStorage) == "static x1 | pushAddress x1");
  ProgramBinding written = kStorage;
  written.isWritten = true;
  // One descriptor for each offset.
  CHECK(dynamic(written) == "static x1 | indexed x8");
  CHECK(dynamic(written, {.instances = 20}) == "static x1 | indexed x20");
  CHECK(dynamic(written, {.frequency = Frequency::Material}) == "static x1 | indexed x1024");
  CHECK(dynamic(kStorage, {}, {.robust = true}) == "static x1 | indexed x8");
  CHECK(dynamic(kStorage, {}, {.squeeze = Squeeze::PushedAddresses}) == "static x1 | indexed x8");
}

TEST_CASE("residences: descriptor types of old that the binding never had") {
  CHECK(choose({}, {{kImage, {.legacyType = LegacyType::UniformBufferDynamic}},
                    {kStorage, {.legacyType = LegacyType::InlineUniformBlock}},
                    {kBlock, {.legacyType = LegacyType::StorageBufferDynamic}}})
            .text ==
        "HS1012 policy.json: descriptorType UNIFORM_BUFFER_DYNAMIC does not fit 'b', which is "
        "SAMPLED_IMAGE\n"
        "HS1012 policy.json: descriptorType INLINE_UNIFORM_BLOCK does not fit 'b', which is "
        "STORAGE_BUFFER\n"
        "HS1012 policy.json: descriptorType STORAGE_BUFFER_DYNAMIC does not fit 'b', which is "
        "UNIFORM_BUFFER\n");
}

TEST_CASE("residences: inline uniform blocks") {
  const auto inline_block = [](const ProgramBinding& binding, const BindingPolicy& more = {},
                               const Context& context = {}) {
    BindingPolicy wish = more;
    wish.legacyType = LegacyType::InlineUniformBlock;
    return choose({}, {{binding, wish}}, context).text;
  };
  CHECK(inline_block(kBlock) == "static x1 | pushData x1");
  CHECK(inline_block(of(DescriptorType::UniformBuffer, 64)) == "static x1 | pushData x1");
  CHECK(inline_block(kLarge) == "static x1 | heapData x1");
  CHECK(inline_block(kLarge, {.instances = 7}) == "static x1 | heapData x7");
  CHECK(inline_block(kLarge, {.frequency = Frequency::Material}) == "static x1 | heapData x1024");
  CHECK(inline_block(kBlock, {}, {.squeeze = Squeeze::PushedBlocks}) == "static x1 | heapData x1");
  CHECK(inline_block(kBlock, {}, {.robust = true}) == "static x1 | static x1");
  ProgramBinding array = kBlock;
  array.arrayKind = ArrayKind::Fixed;
  CHECK(inline_block(array) == "static x1 | static x1");
}

TEST_CASE("residences: each step of the squeeze") {
  const std::vector<Item> items = {{kImage}, {kBlock}, {kStorage}};
  const SetPolicy draw = {.frequency = Frequency::Draw};
  const auto squeezed = [&](Squeeze squeeze) { return choose(draw, items, {.squeeze = squeeze}); };
  CHECK(squeezed(Squeeze::Nothing).text ==
        "indexed x4096 | indexed x4096 | pushData x1 | pushAddress x1");
  const Chosen blocks = squeezed(Squeeze::PushedBlocks);
  CHECK(blocks.text == "indexed x4096 | indexed x4096 | pushAddress x1 | pushAddress x1");
  CHECK(refusals(blocks.residences.bindings[1]) ==
        "pushData: push data has no room for the block\n");
  const Chosen addresses = squeezed(Squeeze::PushedAddresses);
  CHECK(addresses.text == "indexed x4096 | indexed x4096 | indexed x4096 | indexed x4096");
  CHECK(refusals(addresses.residences.bindings[2]) ==
        "pushAddress: push data has no room for the address\n");
  const Chosen indices = squeezed(Squeeze::PushedIndices);
  CHECK(indices.text ==
        "indirect x4096 in drawIndices | indirect x4096 in drawIndices | "
        "indirect x4096 in drawIndices | indirect x4096 in drawIndices");
  CHECK(refusals(indices.residences.table) ==
        "static: has one instance only\n"
        "indexed: push data has no room for all words\n");
}

TEST_CASE("residences: what the policy says outright stays, however short push data is") {
  for (const Squeeze squeeze : {Squeeze::Nothing, kMostSqueezed}) {
    const Context context = {.squeeze = squeeze};
    CHECK(choose({.residence = Residence::Indexed, .instances = 3}, {{kImage}}, context).text ==
          "indexed x3 | indexed x3");
    CHECK(choose({}, {{kBlock, {.residence = Residence::PushData}}}, context).text ==
          "static x1 | pushData x1");
    CHECK(choose({.residence = Residence::PushAddress}, {{kBlock}, {kStorage}}, context).text ==
          "static x1 | pushAddress x1 | pushAddress x1");
  }
}

TEST_CASE("residences: what a set says outright holds for bindings that say nothing") {
  const SetPolicy scattered = {.residence = Residence::Scattered, .frequency = Frequency::Draw};
  CHECK(choose(scattered, {{kBlock}, {kImage}}).text ==
        "scattered x4096 | scattered x4096 | scattered x4096");
  CHECK(
      choose(scattered, {{kBlock, {.residence = Residence::HeapData, .instances = 9}},
                         {kImage, {.residence = Residence::Scattered}},
                         {kImage, {.residence = Residence::Indexed}},
                         {kImage, {.residence = Residence::Indexed, .frequency = Frequency::View}},
                         {kBlock, {.frequency = Frequency::Draw}}})
          .text ==
      "scattered x4096 | heapData x9 | scattered x4096 | indexed x1 | indexed x8 | pushData x1");
  const SetPolicy heap = {.residence = Residence::HeapData, .instances = 6};
  CHECK(choose(heap, {{kBlock}, {kBlock, {.instances = 2}}}).text ==
        "static x1 | heapData x6 | heapData x2");
}

TEST_CASE("residences: wishes that cannot be are refused, all of them") {
  ProgramBinding other = kStorage;
  other.name = "o";
  other.usesLength = true;
  CHECK(choose({}, {{kImage, {.residence = Residence::PushAddress}},
                    {other, {.residence = Residence::IndirectAddress}}})
            .text ==
        "HS1012 policy.json: 'b' cannot be pushAddress: only a buffer or an acceleration structure "
        "has an address, not SAMPLED_IMAGE (11318)\n"
        "HS1012 policy.json: 'o' cannot be indirectAddress: a shader asks for its length, which an "
        "address lacks (11378)\n");
  CHECK(choose({.residence = Residence::Record, .instances = 2}, {{kImage}}).text ==
        "HS1012 policy.json: 'b' cannot be record: only ray-tracing stages have a shader record "
        "(12454)\n");
  CHECK(choose({.residence = Residence::Record, .instances = 2}, {{kImage}}, {.stages = 0x100})
            .text == "record x2 | record x2");
  CHECK(choose({.residence = Residence::PushData}, {{kStorage}}).text.starts_with("HS1012 "));
}

TEST_CASE("residences: more instances than there can be are refused") {
  CHECK(choose({.residence = Residence::Static, .instances = 4}, {}).text ==
        "HS1012 policy.json: a static table has one instance, not 4\n");
  for (const Residence residence : {Residence::Static, Residence::PushData, Residence::PushAddress,
                                    Residence::IndirectAddress}) {
    CAPTURE(to_string(residence));
    CHECK(choose({}, {{kBlock, {.residence = residence, .instances = 4}}}).text ==
          std::format("HS1012 policy.json: 'b' cannot be {}: that has one instance, not 4\n",
                      to_string(residence)));
    CHECK(choose({}, {{kBlock, {.residence = residence, .instances = 1}}}).text ==
          std::format("static x1 | {} x1", to_string(residence)));
    // A frequency is no number.
    CHECK(choose({}, {{kBlock, {.residence = residence, .frequency = Frequency::Draw}}}).text ==
          std::format("static x1 | {} x1", to_string(residence)));
  }
}

}  // namespace
}  // namespace heapsmith::plan
