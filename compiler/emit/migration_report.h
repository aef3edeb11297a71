// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emit/make_manifest.h"
#include "heapsmith/resolve.h"
#include "reflect/shader_interface.h"

/// What became of shaders, and what their application has to do now: for people who move to
/// descriptor heaps.
namespace heapsmith::emit {

/// A module before and after.
struct ModuleForms {
  std::string input;   ///< as the user wrote it
  std::string output;  ///< EmittedShader::file
  const reflect::ShaderInterface* before = nullptr;
  const reflect::ShaderInterface* after = nullptr;  ///< the same if it was left alone
};

enum class ResourceForm : uint8_t {
  Rewritten,  ///< the shader reads the heap itself
  Mapped,     ///< a mapping structure serves it
  Unused,     ///< no entry point uses it
};

struct MigratedResource {
  const reflect::Resource* resource = nullptr;
  ResourceForm form{};
  std::string place;   ///< where its descriptors or bytes are, and what picks them
  std::string reason;  ///< why it stays mapped, where the shaders were to be rewritten
};

struct MigratedShader {
  ModuleForms forms;
  bool rewritten = false;
  std::vector<std::string> programs;
  std::vector<std::string> addedCapabilities;
  std::vector<std::string> droppedCapabilities;
  std::vector<std::string> addedExtensions;
  std::vector<MigratedResource> resources;
};

/// Something that the application has to do, with the things that it has to be done for.
struct MigrationStep {
  std::string topic;  ///< stable: "features", "heaps", "descriptors", "mappings", ...
  std::string text;
  std::vector<std::string> items;
};

struct MigrationReport {
  std::vector<MigratedShader> shaders;  ///< parallel to the modules
  std::vector<MigrationStep> application;
};

/// `modules` must outlive the report.
[[nodiscard]] MigrationReport migration_report(const ManifestContent& content,
                                               const Manifest& manifest, const SlotLayout& slots,
                                               std::span<const ModuleForms> modules);

[[nodiscard]] std::string migration_text(const MigrationReport& report);
[[nodiscard]] std::string migration_json(const MigrationReport& report);

/// "rewritten", "mapped", "unused"
[[nodiscard]] std::string_view to_string(ResourceForm form);

}  // namespace heapsmith::emit
