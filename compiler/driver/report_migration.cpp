// SPDX-License-Identifier: MIT
#include "driver/report_migration.h"

#include <utility>

#include "input/read_file.h"
#include "reflect/reflect_module.h"
#include "spirv/parse.h"

namespace heapsmith::driver {

Diagnosed<Migration> Migration::compare(std::span<const LoadedShader> shaders,
                                        std::span<const OutputModule> outputs,
                                        Diagnostics& diagnostics) {
  Migration migration;
  migration.rewritten_.reserve(outputs.size());  // what points into it must stay
  for (const OutputModule& output : outputs) {
    const LoadedShader& shader = shaders[output.shader];
    emit::ModuleForms forms = {.input = input::shown_path(shader.path),
                               .output = output.file,
                               .before = &shader.interface,
                               .after = &shader.interface};
    if (output.words != shader.words) {
      const auto module =
          spirv::parse_module(std::as_bytes(std::span(output.words)), output.file, diagnostics);
      if (!module) return std::unexpected(module.error());
      auto after = reflect::reflect_module(*module, output.file, diagnostics);
      if (!after) return std::unexpected(after.error());
      forms.after = &migration.rewritten_.emplace_back(std::move(*after));
    }
    migration.forms_.push_back(std::move(forms));
  }
  return migration;
}

emit::MigrationReport Migration::report(const emit::ManifestContent& content,
                                        const Manifest& manifest, const SlotLayout& slots) const {
  return emit::migration_report(content, manifest, slots, forms_);
}

}  // namespace heapsmith::driver
