// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "driver/rewrite_shaders.h"
#include "emit/make_manifest.h"
#include "emit/migration_report.h"

namespace heapsmith::driver {

/// What became of each output, by its words.
class Migration {
 public:
  /// `outputs` are made of `shaders`. Both must outlive what this makes.
  [[nodiscard]] static Diagnosed<Migration> compare(std::span<const LoadedShader> shaders,
                                                    std::span<const OutputModule> outputs,
                                                    Diagnostics& diagnostics);

  [[nodiscard]] emit::MigrationReport report(const emit::ManifestContent& content,
                                             const Manifest& manifest,
                                             const SlotLayout& slots) const;

 private:
  std::vector<emit::ModuleForms> forms_;
  std::vector<reflect::ShaderInterface> rewritten_;
};

}  // namespace heapsmith::driver
