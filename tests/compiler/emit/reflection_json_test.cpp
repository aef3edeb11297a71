// SPDX-License-Identifier: MIT
#include "emit/reflection_json.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace heapsmith::emit {
namespace {

reflect::ShaderInterface example() {
  reflect::ShaderInterface shader;
  shader.spirvVersion = 0x00010300;
  shader.capabilities = {"Shader"};
  reflect::BlockType block;
  block.kind = reflect::TypeKind::Structure;
  block.name = "Lights";
  shader.types = {block};
  reflect::Resource lights;
  lights.name = "lights";
  lights.blockName = "Lights";
  lights.block = 0;
  lights.set = 1;
  lights.binding = 2;
  lights.type = DescriptorType::StorageBuffer;
  lights.kind = reflect::ResourceKind::ReadOnlyStorageBuffer;
  lights.arrayKind = ArrayKind::Runtime;
  lights.dims = {0, 3};
  lights.count = 0;
  lights.blockSize = 16;
  lights.runtimeTailStride = 32;
  lights.runtimeTailOffset = 16;
  lights.readOnly = true;
  lights.isRead = true;
  reflect::Resource map;
  map.name = "map";
  map.set = 1;
  map.binding = 3;
  map.type = DescriptorType::SampledImage;
  map.kind = reflect::ResourceKind::SampledImage;
  map.image = reflect::ImageFacts{.dim = 1, .sampled = 1, .format = 4, .sampledType = "float32"};
  shader.resources = {lights, map};
  reflect::EntryPoint main;
  main.name = "main";
  main.stage = ShaderStage::Compute;
  main.usedResources = {0};
  main.workgroupSize = std::vector<uint32_t>{8, 8, 1};
  main.pushConstants = reflect::PushConstants{.name = "pc", .offset = 4, .size = 12, .block = 0};
  shader.entryPoints = {main};
  return shader;
}

std::string json_of(const reflect::ShaderInterface& shader) {
  const NamedInterface named{.file = "a.spv", .shader = &shader};
  return reflection_json({&named, 1});
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("reflection is one indented document with schema and version", "[emit]") {
  CHECK(reflection_json({}) ==
        "{\n"
        "  \"$schema\": \"urn:heapsmith:schema:reflection:1\",\n"
        "  \"formatVersion\": {\n"
        "    \"major\": 1,\n"
        "    \"minor\": 0\n"
        "  },\n"
        "  \"shaders\": []\n"
        "}\n");
  const std::string text = json_of(example());
  CHECK(text == json_of(example()));
  CHECK(text.ends_with("}\n"));
  CHECK_FALSE(contains(text, "\r"));
}

TEST_CASE("reflection speaks in Vulkan's names", "[emit]") {
  const std::string text = json_of(example());
  for (const char* part :
       {"\"file\": \"a.spv\"", "\"spirvVersion\": \"1.3\"", "\"stage\": \"COMPUTE\"",
        "\"descriptorType\": \"STORAGE_BUFFER\"", "\"resourceType\": \"READ_ONLY_STORAGE_BUFFER\"",
        "\"descriptorType\": \"SAMPLED_IMAGE\"", "\"arrayKind\": \"runtime\"",
        "\"count\": \"runtime\"", "\"runtimeArrayStride\": 32", "\"runtimeArrayOffset\": 16",
        "\"format\": \"Rgba8\"", "\"dim\": \"2D\"", "\"size\": 12"})
    CHECK(contains(text, part));
}

TEST_CASE("every resource says whether it is used", "[emit]") {
  const std::string text = json_of(example());
  CHECK(contains(text, "\"used\": true"));
  CHECK(contains(text, "\"used\": false"));
}

TEST_CASE("names that are no UTF-8 do not stop the writer", "[emit]") {
  reflect::ShaderInterface shader = example();
  shader.resources[0].name = "bad\xFF\xC0name";
  shader.entryPoints[0].name = "quote\" and \\ and \n";
  const std::string text = json_of(shader);
  CHECK(contains(text, "bad\xEF\xBF\xBD"));
  CHECK(contains(text, "quote\\\" and \\\\ and \\n"));
}

}  // namespace heapsmith::emit
