// SPDX-License-Identifier: MIT
#include "heapsmith/manifest_json.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "heapsmith/resolve.h"
#include "runtime/sample_limits.h"
#include "runtime/sample_manifest.h"

using namespace heapsmith;

namespace {

/// sample_manifest.h, as the compiler writes it.
constexpr std::string_view kDocument = R"json({
  "$schema": "urn:heapsmith:schema:manifest:1",
  "formatVersion": {"major": 1, "minor": 1},
  "regions": [
    {"heap": "resource", "class": "image", "slots": 19},
    {"heap": "resource", "class": "buffer", "slots": 4},
    {"heap": "sampler", "class": "sampler", "slots": 3}
  ],
  "externalRanges": [{"name": "imgui", "class": "image", "slots": 4, "firstSlot": 0}],
  "tables": [
    {"name": "frame", "set": 0, "residence": "static", "instances": 1, "samplerInstances": 1,
     "slots": {"image": {"first": 4, "perInstance": 4}, "buffer": {"first": 0, "perInstance": 1},
               "sampler": {"first": 0, "perInstance": 1}},
     "bindings": [
       {"name": "camera", "binding": 0, "descriptorType": "UNIFORM_BUFFER", "array": "none",
        "count": 1, "capacity": 1, "stages": ["VERTEX", "FRAGMENT"], "used": true,
        "minBufferSize": 64, "views": [{"name": "camera", "blockName": "Camera"}],
        "slot": {"region": "buffer", "slot": 0}},
       {"name": "environment", "binding": 1, "descriptorType": "SAMPLED_IMAGE", "array": "fixed",
        "count": 4, "capacity": 4, "dims": [2, 2], "stages": ["FRAGMENT"], "used": true,
        "views": [{"name": "environment"}], "slot": {"region": "image", "slot": 4}},
       {"name": "linear", "binding": 7, "descriptorType": "SAMPLER", "array": "none",
        "count": 1, "capacity": 1, "stages": ["FRAGMENT"], "used": true,
        "views": [{"name": "linear"}], "samplerSlot": {"region": "sampler", "slot": 0}}
     ]},
    {"name": "material", "set": 2, "residence": "indexed", "instances": 3, "samplerInstances": 2,
     "indexField": "material", "samplerIndexField": "materialSampler",
     "slots": {"image": {"first": 8, "perInstance": 1}, "buffer": {"first": 1, "perInstance": 1},
               "sampler": {"first": 1, "perInstance": 1}},
     "bindings": [
       {"name": "albedo", "binding": 0, "descriptorType": "COMBINED_IMAGE_SAMPLER",
        "array": "none", "count": 1, "capacity": 1, "stages": ["FRAGMENT"], "used": true,
        "views": [{"name": "albedo"}], "slot": {"region": "image", "slot": 8},
        "samplerSlot": {"region": "sampler", "slot": 1}},
       {"name": "factors", "binding": 1, "descriptorType": "STORAGE_BUFFER", "array": "none",
        "count": 1, "capacity": 1, "stages": ["FRAGMENT"], "used": true, "minBufferSize": 16,
        "views": [{"name": "factors"}], "slot": {"region": "buffer", "slot": 1}}
     ]},
    {"name": "bindless", "set": 3, "residence": "static", "instances": 1,
     "slots": {"image": {"first": 11, "perInstance": 8}},
     "bindings": [
       {"name": "textures", "binding": 0, "descriptorType": "SAMPLED_IMAGE", "array": "runtime",
        "count": "runtime", "capacity": 8, "stages": ["FRAGMENT"], "used": true,
        "views": [{"name": "textures"}], "slot": {"region": "image", "slot": 11}}
     ]}
  ],
  "pushData": {"size": 72, "fields": [
    {"name": "material", "kind": "tableIndex", "table": "material", "offset": 64, "size": 4},
    {"name": "materialSampler", "kind": "samplerIndex", "table": "material", "offset": 68,
     "size": 4}
  ]},
  "programs": [
    {"name": "knot", "pushConstants": {"offset": 0, "size": 64},
     "shaders": [
       {"stage": "VERTEX", "entryPoint": "main", "file": "knot.vert.spv",
        "sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "form": "mapped", "specializationConstants": [
          {"specId": 3, "name": "count", "type": "uint32", "defaultBits": 8}]},
       {"stage": "FRAGMENT", "entryPoint": "main", "file": "shaders/knot.frag.spv",
        "sha256": "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210",
        "form": "mapped"}
     ],
     "mappings": [
       {"set": 0, "binding": 0, "table": "frame", "resourceMask": ["UNIFORM_BUFFER"],
        "source": "HEAP_WITH_CONSTANT_OFFSET", "part": "resource",
        "heapOffset": {"region": "buffer", "slot": 0},
        "heapArrayStride": {"class": "buffer", "count": 1}},
       {"set": 0, "binding": 1, "table": "frame", "resourceMask": ["SAMPLED_IMAGE"],
        "source": "HEAP_WITH_CONSTANT_OFFSET", "part": "resource",
        "heapOffset": {"region": "image", "slot": 4},
        "heapArrayStride": {"class": "image", "count": 1}},
       {"set": 0, "binding": 7, "table": "frame", "resourceMask": ["SAMPLER"],
        "source": "HEAP_WITH_CONSTANT_OFFSET", "part": "sampler",
        "heapOffset": {"region": "sampler", "slot": 0},
        "heapArrayStride": {"class": "sampler", "count": 1}},
       {"set": 2, "binding": 0, "table": "material", "resourceMask": ["COMBINED_SAMPLED_IMAGE"],
        "source": "HEAP_WITH_PUSH_INDEX", "part": "combined",
        "heapOffset": {"region": "image", "slot": 8},
        "heapArrayStride": {"class": "image", "count": 1},
        "heapIndexStride": {"class": "image", "count": 1}, "field": "material",
        "samplerHeapOffset": {"region": "sampler", "slot": 1},
        "samplerHeapArrayStride": {"class": "sampler", "count": 1},
        "samplerHeapIndexStride": {"class": "sampler", "count": 1},
        "samplerField": "materialSampler"},
       {"set": 2, "binding": 1, "table": "material",
        "resourceMask": ["READ_ONLY_STORAGE_BUFFER", "READ_WRITE_STORAGE_BUFFER"],
        "source": "HEAP_WITH_PUSH_INDEX", "part": "resource",
        "heapOffset": {"region": "buffer", "slot": 1},
        "heapArrayStride": {"class": "buffer", "count": 1},
        "heapIndexStride": {"class": "buffer", "count": 1}, "field": "material"},
       {"set": 3, "binding": 0, "table": "bindless", "resourceMask": ["SAMPLED_IMAGE"],
        "source": "HEAP_WITH_CONSTANT_OFFSET", "part": "resource",
        "heapOffset": {"region": "image", "slot": 11},
        "heapArrayStride": {"class": "image", "count": 1}}
     ]}
  ]
})json";

struct Edit {
  std::string_view from, to;
};

/// The document with something else at the first place where `from` stands.
std::string edited(std::initializer_list<Edit> edits) {
  std::string text(kDocument);
  for (const Edit& edit : edits) {
    const size_t at = text.find(edit.from);
    INFO(edit.from);
    REQUIRE(at != std::string::npos);
    text.replace(at, edit.from.size(), edit.to);
  }
  return text;
}

std::string problem(std::string_view text) {
  Result<ManifestStorage> loaded = load_manifest_json(text);
  if (loaded) return "accepted";
  CHECK(loaded.error().code == ErrorCode::InvalidManifest);
  return loaded.error().text;
}

}  // namespace

TEST_CASE("manifest.json: yields what the generated header holds") {
  std::string text(kDocument);
  Result<ManifestStorage> loaded = load_manifest_json(text);
  if (!loaded) FAIL(loaded.error().text);
  text.assign(text.size(), '#');  // nothing points into the text
  ManifestStorage moved = std::move(*loaded);
  const Manifest& manifest = moved.manifest;

  REQUIRE(manifest.tables.size() == std::size(sample::kTables));
  for (size_t i = 0; i < manifest.tables.size(); ++i) {
    const Table& a = manifest.tables[i];
    const Table& b = sample::kTables[i];
    CHECK(a.name == b.name);
    CHECK(a.set == b.set);
    CHECK(a.residence == b.residence);
    CHECK(a.instances == b.instances);
    CHECK(a.samplerInstances == b.samplerInstances);
    CHECK(a.bindings.first == b.bindings.first);
    CHECK(a.bindings.count == b.bindings.count);
    CHECK(a.indexField == b.indexField);
    CHECK(a.samplerIndexField == b.samplerIndexField);
  }
  REQUIRE(manifest.bindings.size() == std::size(sample::kBindings));
  for (size_t i = 0; i < manifest.bindings.size(); ++i) {
    const Binding& a = manifest.bindings[i];
    const Binding& b = sample::kBindings[i];
    CHECK(a.name == b.name);
    CHECK(a.table == b.table);
    CHECK(a.binding == b.binding);
    CHECK(a.type == b.type);
    CHECK(a.arrayKind == b.arrayKind);
    CHECK(a.capacity == b.capacity);
    CHECK(a.stages == b.stages);
    CHECK(a.minBufferSize == b.minBufferSize);
  }
  REQUIRE(manifest.fields.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(manifest.fields[i].name == sample::kFields[i].name);
    CHECK(manifest.fields[i].kind == sample::kFields[i].kind);
    CHECK(manifest.fields[i].table == 1);
    CHECK(manifest.fields[i].offset == sample::kFields[i].offset);
    CHECK(manifest.fields[i].size == 4);
  }
  REQUIRE(manifest.mappings.size() == std::size(sample::kMappings));
  for (size_t i = 0; i < manifest.mappings.size(); ++i) {
    const Mapping& a = manifest.mappings[i];
    const Mapping& b = sample::kMappings[i];
    CHECK(a.set == b.set);
    CHECK(a.binding == b.binding);
    CHECK(a.resourceMask == b.resourceMask);
    CHECK(a.source == b.source);
    CHECK(a.part == b.part);
    CHECK(a.field == b.field);
    CHECK(a.samplerField == b.samplerField);
  }
  REQUIRE(manifest.programs.size() == 1);
  CHECK(manifest.programs[0].name == "knot");
  CHECK(manifest.programs[0].shaders.count == 2);
  CHECK(manifest.programs[0].mappings.count == 6);
  CHECK(manifest.programs[0].pushConstantSize == 64);
  REQUIRE(manifest.shaders.size() == 2);
  CHECK(manifest.shaders[1].stage == ShaderStage::Fragment);
  CHECK(manifest.shaders[1].file == "shaders/knot.frag.spv");
  CHECK(manifest.shaders[1].sha256.substr(0, 4) == "fedc");
  CHECK(manifest.shaders[1].entryPoint == "main");
  CHECK(manifest.shaders[1].entryPoint.data()[4] == '\0');
  REQUIRE(manifest.externalRanges.size() == 1);
  CHECK(manifest.externalRanges[0].name == "imgui");
  CHECK(manifest.externalRanges[0].slots == 4);
  CHECK(resolve(manifest, sample::kWorstCase));
}

TEST_CASE("manifest.json: an empty one") {
  Result<ManifestStorage> loaded = load_manifest_json(R"json({
    "$schema": "urn:heapsmith:schema:manifest:1", "formatVersion": {"major": 1, "minor": 1},
    "regions": [], "externalRanges": [], "tables": [], "pushData": {"size": 0, "fields": []},
    "programs": []})json");
  REQUIRE(loaded);
  CHECK(loaded->manifest.tables.empty());
}

TEST_CASE("manifest.json: one sampler tuple for all instances") {
  const std::string text =
      edited({{R"("samplerInstances": 2,)", ""},
              {R"(, "samplerIndexField": "materialSampler")", ""},
              {R"("class": "sampler", "slots": 3)", R"("class": "sampler", "slots": 2)"},
              {R"("size": 72)", R"("size": 68)"},
              {R"(,
    {"name": "materialSampler", "kind": "samplerIndex", "table": "material", "offset": 68,
     "size": 4})",
               ""},
              {R"(,
        "samplerHeapIndexStride": {"class": "sampler", "count": 1},
        "samplerField": "materialSampler")",
               ""}});
  Result<ManifestStorage> loaded = load_manifest_json(text);
  if (!loaded) FAIL(loaded.error().text);
  CHECK(loaded->manifest.mappings[3].samplerField == kNone);
  CHECK(loaded->manifest.tables[1].samplerInstances == 1);
}

TEST_CASE("manifest.json: versions") {
  Result<ManifestStorage> newer = load_manifest_json(edited({{R"("major": 1)", R"("major": 2)"}}));
  REQUIRE(!newer);
  CHECK(newer.error().code == ErrorCode::UnsupportedVersion);
  CHECK(newer.error().text == "the manifest has format version 2.1, this is a reader of 1.x");
  // A newer minor version may have keys that this reader does not know; ours may not.
  CHECK(problem(edited({{R"("set": 0)", R"("colour": "red", "set": 0)"}})) ==
        "/tables/0/colour: is not known here");
  CHECK(load_manifest_json(edited(
      {{R"("minor": 1)", R"("minor": 2)"}, {R"("set": 0)", R"("colour": "red", "set": 0)"}})));
}

TEST_CASE("manifest.json: what rewritten shaders are told") {
  const auto with = [](std::string_view constants, std::string_view root = "") {
    const std::string form = R"("form": "rewritten", "slotConstants": [)" + std::string(constants) +
                             R"(], "specializationConstants")";
    const std::string programs = std::string(root) + R"("programs": [)";
    return edited(
        {{R"("form": "mapped", "specializationConstants")", form}, {R"("programs": [)", programs}});
  };
  constexpr std::string_view kMoved = R"("regionBases": "specialization", )";
  constexpr std::string_view kAll = R"(
      {"specId": 4, "what": "regionFirstSlot", "class": "buffer", "default": 0},
      {"specId": 5, "what": "regionSlots", "class": "image", "default": 19},
      {"specId": 6, "what": "slotsPerInstance", "table": "material", "class": "image",
       "default": 1},
      {"specId": 7, "what": "resourceSlot", "table": "bindless", "binding": 0, "default": 11},
      {"specId": 8, "what": "samplerSlot", "table": "material", "binding": 0, "default": 1})";
  Result<ManifestStorage> loaded = load_manifest_json(with(kAll, kMoved));
  if (!loaded) FAIL(loaded.error().text);
  const Manifest& manifest = loaded->manifest;
  CHECK(manifest.regionBases == RegionBases::Specialization);
  REQUIRE(manifest.shaders[0].slotConstants.count == 5);
  CHECK(manifest.shaders[1].slotConstants.count == 0);
  CHECK(manifest.slotConstants[2].number == SlotNumber::SlotsPerInstance);
  CHECK(manifest.slotConstants[2].table == 1);
  CHECK(manifest.slotConstants[3].binding == 5);

  constexpr std::string_view kPlace = "/programs/0/shaders/0/slotConstants/0/";
  const auto says = [&](std::string_view constant) {
    const std::string text = problem(with(constant));
    return text.starts_with(kPlace) ? text.substr(kPlace.size()) : text;
  };
  CHECK(says(R"({"specId": 4, "what": "regionFirstSlot", "class": "image", "default": 0})") ==
        "what: contradicts the manifest's regionBases");
  // Shaders of GLSL are told where buffers begin, whoever else knows by himself.
  CHECK(load_manifest_json(
      with(R"({"specId": 4, "what": "regionFirstSlot", "class": "buffer", "default": 0})")));
  CHECK(says(R"({"specId": 4, "what": "regionSlots", "class": "image", "default": 18})") ==
        "default: states 18, but it is 19");
  CHECK(says(R"({"specId": 3, "what": "regionSlots", "class": "image", "default": 19})") ==
        "specId: is one of the shader's own");
  CHECK(says(R"({"specId": 4, "what": "regionSlots", "class": "tensor", "default": 0})") ==
        "class: there are no such slots");
  CHECK(says(R"({"specId": 4, "what": "slot", "class": "image", "default": 0})") ==
        "what: 'slot' is not known here");
  CHECK(says(R"({"specId": 4, "what": "regionSlots", "class": "image", "table": "frame",
                 "default": 19})") == "table: does not apply here");
  CHECK(says(R"({"specId": 4, "what": "regionSlots", "class": "image", "binding": 0,
                 "default": 19})") == "binding: does not apply here");
  CHECK(says(R"({"specId": 4, "what": "resourceSlot", "table": "frame", "binding": 0,
                 "class": "buffer", "default": 0})") == "class: a binding's is known");
  CHECK(says(R"({"specId": 4, "what": "resourceSlot", "table": "frame", "binding": 2,
                 "default": 0})") == "binding: the table has no such binding");
  CHECK(says(R"({"specId": 4, "what": "resourceSlot", "table": "frame", "binding": 7,
                 "default": 0})") == "what: the binding has no such slots");
  CHECK(says(R"({"specId": 4, "what": "samplerSlot", "table": "frame", "binding": 0,
                 "default": 0})") == "what: the binding has no such slots");
  CHECK(problem(with(R"({"specId": 5, "what": "regionSlots", "class": "image", "default": 19},
                        {"specId": 5, "what": "regionSlots", "class": "image", "default": 19})")) ==
        "/programs/0/shaders/0/slotConstants/1/specId: the constants ascend by specId");
  const std::string mapped =
      edited({{R"("form": "mapped", "spec)",
               R"("form": "mapped", "slotConstants": [{"specId": 4, "what": "regionSlots",
           "class": "image", "default": 19}], "spec)"}});
  CHECK(problem(mapped) == "/programs/0/shaders/0/slotConstants: only a rewritten shader has them");
  const std::string two =
      edited({{R"("form": "mapped", "spec)",
               R"("form": "rewritten", "slotConstants": [{"specId": 4, "what": "regionSlots",
           "class": "image", "default": 19}], "spec)"},
              {R"("form": "mapped")",
               R"("form": "rewritten", "slotConstants": [{"specId": 4, "what": "regionSlots",
           "class": "buffer", "default": 4}])"}});
  CHECK(problem(two) ==
        "/programs/0/shaders/1/slotConstants/0/specId: stands for something else in another "
        "shader");
}

TEST_CASE("manifest.json: what is no document") {
  CHECK(problem("") == "the manifest is not readable: byte 1 breaks the rules of JSON");
  CHECK(problem("[]") == "the document: is no object");
  CHECK(problem("{\"formatVersion\": {\"major\": 1}}") == "/formatVersion/minor: is missing");
  CHECK(problem(kDocument.substr(0, 100)) ==
        "the manifest is not readable: byte 101 breaks the rules of JSON");
  CHECK(problem(edited({{R"("set": 0)", R"("set": 0, "set": 0)"}})) ==
        "the manifest is not readable: the key 'set' is repeated");
  CHECK(problem(std::string(1000000, '[')) ==
        "the manifest is not readable: it is nested deeper than 32 levels");
  std::string objects;
  for (int i = 0; i < 100000; ++i)
    objects += "{\"a\":";
  CHECK(problem(objects) == "the manifest is not readable: it is nested deeper than 32 levels");
  CHECK(problem("{\"formatVersion\": \"\xff\"}").starts_with("the manifest is not readable"));
  // Cut anywhere, it is an error and nothing else.
  for (size_t length = 0; length < kDocument.size(); length += 7) {
    CHECK(problem(kDocument.substr(0, length)) != "accepted");
  }
}

TEST_CASE("manifest.json: one document for each rule") {
  struct Case {
    Edit edit;
    std::string_view problem;
  };
  const Case cases[] = {
      // Types.
      {{R"("set": 0)", R"("set": "0")"}, "/tables/0/set: is no whole number from 0 on"},
      {{R"("set": 0)", R"("set": -1)"}, "/tables/0/set: is no whole number from 0 on"},
      {{R"("set": 0)", R"("set": 0.5)"}, "/tables/0/set: is no whole number from 0 on"},
      {{R"("set": 0)", R"("set": 4294967296)"},
       "/tables/0/set: 4294967296 is not between 0 and 4294967295"},
      {{R"("set": 0, )", ""}, "/tables/0/set: is missing"},
      {{R"("name": "frame")", R"("name": 7)"}, "/tables/0/name: is no string"},
      {{R"("name": "frame")", R"("name": "")"}, "/tables/0/name: is empty"},
      {{R"("name": "frame")", R"("name": "fr\u0000me")"}, "/tables/0/name: has a NUL inside"},
      {{R"("used": true)", R"("used": 1)"}, "/tables/0/bindings/0/used: is neither true nor false"},
      {{R"(["VERTEX", "FRAGMENT"])", R"("VERTEX")"}, "/tables/0/bindings/0/stages: is no array"},
      {{R"({"size": 72)", R"({"sise": 72)"}, "/pushData/sise: is not known here"},
      {{"urn:heapsmith:schema:manifest:1", "urn:heapsmith:schema:policy:1"},
       "/$schema: is not urn:heapsmith:schema:manifest:1"},
      // Enumerators.
      {{R"("residence": "static")", R"("residence": "Static")"},
       "/tables/0/residence: 'Static' is not known here"},
      {{R"("descriptorType": "UNIFORM_BUFFER")", R"("descriptorType": "UNIFORM_BUFFER_DYNAMIC")"},
       "/tables/0/bindings/0/descriptorType: 'UNIFORM_BUFFER_DYNAMIC' is not known here"},
      {{R"(["VERTEX", "FRAGMENT"])", R"(["VERTEX", "VERTEX"])"},
       "/tables/0/bindings/0/stages/1: is repeated"},
      {{R"(["VERTEX", "FRAGMENT"])", R"(["VERTEX", "PIXEL"])"},
       "/tables/0/bindings/0/stages/1: 'PIXEL' is not known here"},
      {{R"("form": "mapped")", R"("form": "sung")"},
       "/programs/0/shaders/0/form: 'sung' is not known here"},
      // Names.
      {{R"("name": "material", "set")", R"("name": "frame", "set")"},
       "/tables/1/name: 'frame' is the name of two"},
      {{R"("name": "environment")", R"("name": "camera")"},
       "/tables/0/bindings/1/name: 'camera' is the name of two"},
      {{R"("name": "materialSampler")", R"("name": "material")"},
       "/pushData/fields/1/name: 'material' is the name of two"},
      {{R"("indexField": "material")", R"("indexField": "matter")"},
       "/tables/1/indexField: nothing has the name 'matter'"},
      {{R"("table": "frame")", R"("table": "fame")"},
       "/programs/0/mappings/0/table: nothing has the name 'fame'"},
      {{R"("field": "material")", R"("field": "matter")"},
       "/programs/0/mappings/3/field: nothing has the name 'matter'"},
      // Tables and bindings.
      {{R"("instances": 1, "samplerInstances": 1)", R"("instances": 2, "samplerInstances": 1)"},
       "/tables/0: a static table has one instance"},
      {{R"("instances": 3)", R"("instances": 0)"},
       "/tables/1/instances: 0 is not between 1 and 4294967295"},
      {{R"("instances": 1, "samplerInstances": 1)", R"("instances": 1, "indexField": "material")"},
       "/tables/0: nothing picks an instance of a static table"},
      {{R"("binding": 7, "descriptorType")", R"("binding": 1, "descriptorType")"},
       "/tables/0/bindings/2/binding: the bindings of a table ascend, 1 comes after 1"},
      {{R"("count": 1, "capacity": 1)", R"("count": 2, "capacity": 2)"},
       "/tables/0/bindings/0/capacity: a binding that is no array has one element"},
      {{R"("count": 4)", R"("count": 3)"},
       "/tables/0/bindings/1/count: differs from the capacity, 4"},
      {{R"("count": "runtime")", R"("count": 8)"}, "/tables/2/bindings/0/count: is no string"},
      {{R"("capacity": 8)", R"("capacity": 0)"},
       "/tables/2/bindings/0/capacity: 0 is not between 1 and 4294967295"},
      {{R"("minBufferSize": 64, )", ""}, "/tables/0/bindings/0/minBufferSize: is missing"},
      {{R"("dims": [2, 2])", R"("minBufferSize": 4)"},
       "/tables/0/bindings/1/minBufferSize: only a uniform or storage buffer has one"},
      {{R"("used": true)", R"("used": false)"},
       "/tables/0/bindings/0/used: contradicts the stages"},
      // Slots.
      {{R"("class": "image", "slots": 19)", R"("class": "image", "slots": 20)"},
       "/regions/0/slots: states 20, but it is 19"},
      {{R"("heap": "resource", "class": "buffer")", R"("heap": "sampler", "class": "buffer")"},
       "/regions/1/heap: states 'sampler', but it is 'resource'"},
      {{R"(,
    {"heap": "sampler", "class": "sampler", "slots": 3})",
        ""},
       "/regions: the region of class sampler is missing"},
      {{R"(,
    {"heap": "sampler")",
        R"(, {}, {"heap": "sampler")"},
       "/regions/2/heap: is missing"},
      {{R"("firstSlot": 0)", R"("firstSlot": 1)"},
       "/externalRanges/0/firstSlot: states 1, but it is 0"},
      {{R"("image": {"first": 4)", R"("image": {"first": 5)"},
       "/tables/0/slots/image/first: states 5, but it is 4"},
      {{R"("perInstance": 4)", R"("perInstance": 3)"},
       "/tables/0/slots/image/perInstance: states 3, but it is 4"},
      {{R"("slots": {"image": {"first": 11, "perInstance": 8}})",
        R"("slots": {"image": {"first": 11, "perInstance": 8}, "tensor": {}})"},
       "/tables/2/slots/tensor: does not apply here"},
      {{R"("slot": {"region": "image", "slot": 4})", R"("slot": {"region": "image", "slot": 5})"},
       "/tables/0/bindings/1/slot/slot: states 5, but it is 4"},
      {{R"("slot": {"region": "image", "slot": 4})", R"("slot": {"region": "buffer", "slot": 4})"},
       "/tables/0/bindings/1/slot/region: states 'buffer', but it is 'image'"},
      {{R"("samplerSlot": {"region")", R"("slot": {"region")"},
       "/tables/0/bindings/2/slot: does not apply here"},
      {{R"("slots": 4, "firstSlot")", R"("slots": 0, "firstSlot")"},
       "/externalRanges/0/slots: 0 is not between 1 and 4294967295"},
      {{R"("instances": 3)", R"("instances": 4294967295)"},
       "/regions/0/slots: states 19, but it is "
       "4294967311"},
      // Push data.
      {{R"("size": 72)", R"("size": 76)"}, "/pushData/size: states 76, but it is 72"},
      {{R"("offset": 64, "size": 4)", R"("offset": 66, "size": 4)"},
       "/pushData/fields/0/offset: is no multiple of 4"},
      {{R"("offset": 64, "size": 4)", R"("offset": 64, "size": 8)"},
       "/pushData/fields/0/size: a field of this kind takes 4 bytes"},
      {{R"("offset": 64, "size": 4)", R"("offset": 4294967292, "size": 4)"},
       "/pushData/fields/0/offset: is beyond all memory"},
      {{R"("offset": 64, "size": 4)", R"("offset": 68, "size": 4)"},
       "/programs/0: push data byte 68 is used twice"},
      {{R"("table": "material", "offset": 64)", R"("table": "frame", "offset": 64)"},
       "/tables/1/indexField: 'material' is not a tableIndex of this table"},
      {{R"("offset": 0, "size": 64)", R"("offset": 0, "size": 68)"},
       "/programs/0: push data byte 64 is used twice"},
      {{R"("offset": 0, "size": 64)", R"("offset": 0, "size": 62)"},
       "/programs/0/pushConstants: offset and size are multiples of 4"},
      {{R"("offset": 0, "size": 64)", R"("offset": 4294967292, "size": 64)"},
       "/programs/0/pushConstants: is beyond all push data"},
      // Shaders.
      {{R"("file": "knot.vert.spv")", R"("file": "/knot.vert.spv")"},
       "/programs/0/shaders/0/file: is relative to the manifest's folder"},
      {{R"("file": "knot.vert.spv")", R"("file": "C:knot.vert.spv")"},
       "/programs/0/shaders/0/file: is relative to the manifest's folder"},
      {{R"("sha256": "0123)", R"("sha256": "012G)"},
       "/programs/0/shaders/0/sha256: is no SHA-256 in lower-case hexadecimal digits"},
      {{R"("specId": 3)", R"("specId": -3)"},
       "/programs/0/shaders/0/specializationConstants/0/specId: is no whole number from 0 on"},
      // Mappings.
      {{R"({"set": 0, "binding": 0, "table")", R"({"set": 1, "binding": 0, "table")"},
       "/programs/0/mappings/0/set: table 'frame' is set 0"},
      {{R"({"set": 0, "binding": 0, "table")", R"({"set": 0, "binding": 5, "table")"},
       "/programs/0/mappings/0/binding: the table has no such binding"},
      {{R"("resourceMask": ["UNIFORM_BUFFER"])", R"("resourceMask": [])"},
       "/programs/0/mappings/0/resourceMask: does not fit the resource part of a UNIFORM_BUFFER"},
      {{R"("resourceMask": ["SAMPLER"])", R"("resourceMask": ["SAMPLED_IMAGE"])"},
       "/programs/0/mappings/2/resourceMask: does not fit the sampler part of a SAMPLER"},
      {{R"("part": "combined")", R"("part": "resource")"},
       "/programs/0/mappings/3/resourceMask: does not fit the resource part of a "
       "COMBINED_IMAGE_SAMPLER"},
      {{R"("source": "HEAP_WITH_CONSTANT_OFFSET")", R"("source": "HEAP_WITH_PUSH_INDEX")"},
       "/programs/0/mappings/0/source: states 'HEAP_WITH_PUSH_INDEX', but it is "
       "'HEAP_WITH_CONSTANT_OFFSET'"},
      {{R"("field": "material")", R"("field": "materialSampler")"},
       "/programs/0/mappings/3: the field is material here"},
      {{R"("samplerField": "materialSampler")", R"("samplerField": "material")"},
       "/programs/0/mappings/3: the samplerField is materialSampler here"},
      {{R"("heapOffset": {"region": "image", "slot": 8})",
        R"("heapOffset": {"region": "image", "slot": 9})"},
       "/programs/0/mappings/3/heapOffset/slot: states 9, but it is 8"},
      {{R"("heapArrayStride": {"class": "buffer", "count": 1})",
        R"("heapArrayStride": {"class": "image", "count": 1})"},
       "/programs/0/mappings/0/heapArrayStride/class: states 'image', but it is 'buffer'"},
      {{R"("heapIndexStride": {"class": "image", "count": 1})",
        R"("heapIndexStride": {"class": "image", "count": 2})"},
       "/programs/0/mappings/3/heapIndexStride/count: states 2, but it is 1"},
      {{R"("samplerHeapOffset": {"region": "sampler", "slot": 1})",
        R"("samplerHeapOffset": {"region": "sampler", "slot": 0})"},
       "/programs/0/mappings/3/samplerHeapOffset/slot: states 0, but it is 1"},
      {{R"("heapArrayStride": {"class": "buffer", "count": 1})",
        R"("heapArrayStride": {"class": "buffer", "count": 1}, "heapIndexStride": {})"},
       "/programs/0/mappings/0/heapIndexStride: does not apply here"},
      {{R"("heapArrayStride": {"class": "buffer", "count": 1})",
        R"("heapArrayStride": {"class": "buffer", "count": 1}, "samplerHeapOffset": {})"},
       "/programs/0/mappings/0/samplerHeapOffset: does not apply here"},
      {{R"({"set": 0, "binding": 1, "table")",
        R"({"set": 0, "binding": 0, "table": "frame", "resourceMask": ["UNIFORM_BUFFER"],
        "source": "HEAP_WITH_CONSTANT_OFFSET", "part": "resource",
        "heapOffset": {"region": "buffer", "slot": 0},
        "heapArrayStride": {"class": "buffer", "count": 1}},
       {"set": 0, "binding": 1, "table")"},
       "/programs/0/mappings/1: another mapping serves the same set, binding and mask"},
  };
  for (const Case& rule : cases) {
    INFO(rule.edit.from << " -> " << rule.edit.to);
    CHECK(problem(edited({rule.edit})) == rule.problem);
  }
}

TEST_CASE("manifest.json: more rules, that take two changes") {
  CHECK(problem(edited({{R"("indexField": "material")", R"("indexField": "materialSampler")"}})) ==
        "/tables/1/indexField: 'materialSampler' is not a tableIndex of this table");
  // Field and table agree, but another table names the field as well.
  CHECK(problem(edited({{R"("name": "bindless", "set": 3, "residence": "static", "instances": 1,)",
                         R"("name": "bindless", "set": 3, "residence": "indexed", "instances": 1,
                         "indexField": "material",)"}})) ==
        "/tables/2/indexField: 'material' is not a tableIndex of this table");
  CHECK(problem(edited({{R"("residence": "static", "instances": 1,
     "slots")",
                         R"("residence": "indexed", "instances": 1,
     "slots")"}})) ==
        "/programs/0/mappings/5: nothing says which instance of table 'bindless' it reaches");
  CHECK(problem(edited({{R"("instances": 3)", R"("instances": 4294967295)"},
                        {R"("capacity": 8)", R"("capacity": 4294967295)"},
                        {R"("slots": 4, "firstSlot")", R"("slots": 4294967295, "firstSlot")"}})) ==
        "/regions/0/slots: states 19, but it is 12884901889");
  CHECK(problem(edited(
            {{R"("count": 4, "capacity": 4)", R"("count": 4294967295, "capacity": 4294967295)"},
             {R"("residence": "static", "instances": 1, "samplerInstances": 1)",
              R"("residence": "indexed", "instances": 4294967295)"}})) ==
        "/tables: 'frame' needs 4294967295 times 4294967295 slots of class image, which is more "
        "than any heap has");
}
