// SPDX-License-Identifier: MIT
#include <format>
#include <nlohmann/json.hpp>

#include "emit/migration_report.h"
#include "emit/reflection_words.h"

namespace heapsmith::emit {
namespace {

using Json = nlohmann::ordered_json;

Json change(uint32_t before, uint32_t after) {
  return {{"before", version_text(before)}, {"after", version_text(after)}};
}

Json resource_json(const MigratedResource& migrated) {
  const reflect::Resource& resource = *migrated.resource;
  Json json = {{"name", resource.name},
               {"set", resource.set},
               {"binding", resource.binding},
               {"descriptorType", to_string(resource.type)},
               {"form", to_string(migrated.form)}};
  if (!migrated.place.empty()) json["place"] = migrated.place;
  if (!migrated.reason.empty()) json["reason"] = migrated.reason;
  return json;
}

Json shader_json(const MigratedShader& shader) {
  Json json = {
      {"input", shader.forms.input},
      {"output", shader.forms.output},
      {"form", shader.rewritten ? "rewritten" : "mapped"},
      {"programs", shader.programs},
      {"spirvVersion", change(shader.forms.before->spirvVersion, shader.forms.after->spirvVersion)},
      {"capabilities",
       {{"added", shader.addedCapabilities}, {"dropped", shader.droppedCapabilities}}},
      {"extensions", {{"added", shader.addedExtensions}}},
      {"resources", Json::array()}};
  for (const MigratedResource& resource : shader.resources)
    json["resources"].push_back(resource_json(resource));
  return json;
}

}  // namespace

std::string migration_json(const MigrationReport& report) {
  Json root = {{"$schema", "urn:heapsmith:schema:migration:1"},
               {"formatVersion", {{"major", 1}, {"minor", 0}}},
               {"shaders", Json::array()},
               {"application", Json::array()}};
  for (const MigratedShader& shader : report.shaders)
    root["shaders"].push_back(shader_json(shader));
  for (const MigrationStep& step : report.application)
    root["application"].push_back(
        {{"topic", step.topic}, {"text", step.text}, {"items", step.items}});
  // Names come from shaders, and shaders may hold any bytes.
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heapsmith::emit
