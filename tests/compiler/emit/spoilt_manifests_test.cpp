// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "emit/manifest_json.h"
#include "emit/sample_everything.h"
#include "emit/sound_manifest.h"
#include "heapsmith/manifest_json.h"

/// A manifest that was edited by hand is refused, or is still one that can be trusted.
namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;

constexpr DeviceLimits kLimits = {.samplerHeapAlignment = 64,
                                  .resourceHeapAlignment = 64,
                                  .maxSamplerHeapSize = 1 << 20,
                                  .maxResourceHeapSize = 1 << 26,
                                  .minSamplerHeapReservedRangeWithEmbedded = 64,
                                  .samplerDescriptorSize = 32,
                                  .imageDescriptorSize = 64,
                                  .bufferDescriptorSize = 16,
                                  .samplerDescriptorAlignment = 32,
                                  .imageDescriptorAlignment = 64,
                                  .bufferDescriptorAlignment = 16,
                                  .maxPushDataSize = 256,
                                  .maxDescriptorHeapEmbeddedSamplers = 2032,
                                  .samplerYcbcrConversionCount = 3,
                                  .maxShaderRecordSize = 4064};

Json document_of_everything() {
  const ManifestContent content = sample::everything();
  const ManifestStorage made = make_manifest(content);
  return Json::parse(manifest_json(content, made.manifest, *assign_slots(made.manifest)));
}

/// What stands elsewhere in the document under the same key, and some things that stand nowhere.
class Replacements {
 public:
  explicit Replacements(const Json& document) { collect(document); }

  std::vector<Json> of(const std::string& key, const Json& value) const {
    std::vector<Json> others;
    const auto found = texts_.find(key);
    if (value.is_string() && found != texts_.end())
      others.insert(others.end(), found->second.begin(), found->second.end());
    if (value.is_string()) others.emplace_back("x");
    if (value.is_number_integer()) {
      const auto number = value.get<int64_t>();
      for (const int64_t other : {number + 1, number - 1, int64_t{0}, int64_t{1}, number + 4,
                                  int64_t{UINT32_MAX}, int64_t{1} << 40})
        others.emplace_back(other);
    }
    if (value.is_boolean()) others.emplace_back(!value.get<bool>());
    others.emplace_back(nullptr);
    others.emplace_back(Json::array());
    std::erase(others, value);
    return others;
  }

 private:
  void collect(const Json& value, const std::string& key = "") {
    if (value.is_string()) texts_[key].insert(value);
    for (const auto& [inner, member] : value.items()) {
      if (value.is_structured()) collect(member, value.is_object() ? inner : key);
    }
  }

  std::map<std::string, std::set<Json>> texts_;
};

struct Tally {
  uint32_t refused = 0;
  uint32_t harmless = 0;
  std::set<std::string> free;  ///< keys that some change of is accepted
};

void try_document(const Json& document, const std::string& key, Tally& tally) {
  const auto loaded = load_manifest_json(document.dump());
  if (!loaded) {
    CHECK_FALSE(loaded.error().text.empty());
    ++tally.refused;
    return;
  }
  ++tally.harmless;
  tally.free.insert(key);
  const Manifest& manifest = loaded->manifest;
  REQUIRE(sample::names_what_is_there(manifest));
  for (const Program& program : manifest.programs)
    CHECK(sample::fields_are_apart(manifest, program));
  (void)sample::check_on(manifest, kLimits);
}

void spoil(Json& document, Json& at, const std::string& of, const Replacements& replacements,
           Tally& tally) {
  const auto replace = [&](const std::string& key, Json& value) {
    const Json good = value;
    for (const Json& other : replacements.of(key, good)) {
      CAPTURE(key, good.dump(), other.dump());
      value = other;
      try_document(document, key, tally);
    }
    value = good;
    spoil(document, value, key, replacements, tally);
  };
  if (at.is_object()) {
    for (auto& [key, value] : at.items())
      replace(key, value);
    for (const auto& [key, value] : Json(at).items()) {
      CAPTURE(key);
      at.erase(key);
      try_document(document, "no " + key, tally);
      at[key] = value;  // at the end: order does not matter
    }
  } else if (at.is_array()) {
    for (Json& value : at)
      replace(of, value);
    const Json good = at;
    for (size_t i = 0; i < good.size(); ++i) {
      CAPTURE(i, good.dump());
      at.erase(i);
      try_document(document, "fewer " + of, tally);
      at = good;
      at.push_back(good[i]);
      try_document(document, "more " + of, tally);
      at = good;
    }
  }
}

TEST_CASE("spoilt manifests: each single change is refused or harmless") {
  Json document = document_of_everything();
  Tally good;
  try_document(document, "", good);
  REQUIRE(good.harmless == 1);
  Tally tally;
  const Replacements replacements(document);
  document.erase("blocks");  // for people and other tools: no part of the manifest that is loaded
  spoil(document, document, "", replacements, tally);
  CHECK(tally.refused > 5000);
  // What says less than before, what bounds nothing, and samplers, which are passed on as they are.
  CHECK(tally.free == std::set<std::string>{"addressModeU",
                                            "addressModeV",
                                            "addressModeW",
                                            "anisotropyEnable",
                                            "array",
                                            "borderColor",
                                            "capacity",
                                            "compareEnable",
                                            "entryPoint",
                                            "fewer immutableSamplers",
                                            "fewer mappings",
                                            "fewer programs",
                                            "fewer resourceMask",
                                            "fewer views",
                                            "file",
                                            "forceExplicitReconstruction",
                                            "format",
                                            "immutableSamplers",
                                            "magFilter",
                                            "mappings",
                                            "minBufferSize",
                                            "minor",
                                            "more shaders",
                                            "more views",
                                            "name",
                                            "no form",
                                            "no pushConstants",
                                            "no recordBlockSize",
                                            "no used",
                                            "no views",
                                            "programs",
                                            "recordBlockSize",
                                            "residence",
                                            "stages",
                                            "unnormalizedCoordinates",
                                            "views"});
}

TEST_CASE("spoilt manifests: what is said") {
  struct Case {
    const char* pointer;
    Json value;
    const char* problem;
  };
  // Tables: set0, set1, set2 (packed), set3 (indirect), set4 (scattered), set5 (no descriptors),
  // set6 (immutable samplers), set7 (records).
  const Case cases[] = {
      {"/tables/0/residence", "heapData", "/tables/0/residence: 'heapData' is a binding's"},
      {"/tables/5/bindings/1/residence", "static",
       "/tables/5/bindings/1/residence: 'static' is a table's"},
      {"/tables/1/bindings/0/residence", "pushData",
       "/tables/1/bindings/0/residence: this binding needs a descriptor"},
      {"/tables/5/bindings/2/array", "fixed",
       "/tables/5/bindings/2/residence: this binding needs a descriptor"},
      {"/tables/5/bindings/0/count", 5, "/tables/5/bindings/0/count: differs from the capacity, 5"},
      {"/tables/6/bindings/1/slotsPerElement", 2,
       "/tables/6/bindings/1/slotsPerElement: is 1, or 3 for what converts from YCbCr"},
      {"/tables/0/bindings/1/slotsPerElement", 3,
       "/tables/0/bindings/1/slotsPerElement: only a combined image sampler has it"},
      {"/tables/6/bindings/0/slotsPerElement", 3,
       "/tables/6/bindings/0/immutableSamplers/0: 'linear' contradicts the slotsPerElement"},
      {"/tables/6/bindings/0/immutableSamplers",
       {"red"},
       "/tables/6/bindings/0/immutableSamplers/0: 'red' has a border colour that cannot be "
       "embedded (11445)"},
      {"/tables/6/bindings/1/samplerPlacement", "immutable",
       "/tables/6/bindings/1/immutableSamplers/0: 'film' converts from YCbCr and must be embedded "
       "(11204)"},
      {"/tables/6/bindings/2/immutableSamplers",
       {"red", "red", "red"},
       "/tables/6/bindings/2/immutableSamplers: names 3 samplers for 2 elements"},
      {"/tables/6/bindings/2/immutableSamplers/0", "blue",
       "/tables/6/bindings/2/immutableSamplers/0: nothing has the name 'blue'"},
      {"/tables/2/instances", 1048577, "/regions/0/slots: "},
      {"/indirectBlocks/0/fields/1/offset", 0, "/indirectBlocks/0: block byte 0 is used twice"},
      {"/indirectBlocks/0/addressField", "set1",
       "/indirectBlocks/0/addressField: 'set1' is not the address of this block"},
      {"/indirectBlocks/0/size", 4, "/indirectBlocks/0/size: states 4, but it is 32"},
      {"/shaderRecord/size", 4, "/shaderRecord/size: states 4, but it is "},
      {"/shaderRecord/fields/0/offset", 0, "/programs/1: shader record byte 0 is used twice"},
      {"/samplers/0/magFilter", "VK_FILTER_LINEAR",
       "/samplers/0/magFilter: 'VK_FILTER_LINEAR' is not known here"},
      {"/samplers/0/maxLod", 1e40, "/samplers/0/maxLod: is beyond a 32-bit float"},
      {"/programs/0/mappings/6/useCombinedImageSamplerIndex", true,
       "/programs/0/mappings/6: useCombinedImageSamplerIndex contradicts table 'set4'"},
      {"/programs/0/mappings/0/source", "PUSH_ADDRESS",
       "/programs/0/mappings/0/source: states 'PUSH_ADDRESS', but it is "
       "'HEAP_WITH_CONSTANT_OFFSET'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.pointer);
    Json document = document_of_everything();
    document[Json::json_pointer(c.pointer)] = c.value;
    const auto loaded = load_manifest_json(document.dump());
    REQUIRE(!loaded);
    CHECK(loaded.error().text.substr(0, std::string(c.problem).size()) == c.problem);
  }
}

}  // namespace
}  // namespace heapsmith::emit
