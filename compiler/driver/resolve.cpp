// SPDX-License-Identifier: MIT
#include "driver/resolve.h"

#include <format>

#include "emit/resolved_layout.h"
#include "heapsmith/manifest_json.h"
#include "heapsmith/resolve.h"
#include "input/device_profile.h"
#include "input/read_file.h"

namespace heapsmith::driver {

Diagnosed<std::string> resolve_manifest(const ResolveCommand& command, Diagnostics& diagnostics) {
  const auto text = input::read_file(command.manifestFile, diagnostics);
  if (!text) return std::unexpected(text.error());
  const Place place = {.file = input::shown_path(command.manifestFile)};
  const auto loaded = load_manifest_json(*text);
  if (!loaded) return diagnostics.error(Code::InvalidManifest, place, loaded.error().text);
  const auto profile = input::load_device_profile(command.profile, diagnostics);
  if (!profile) return std::unexpected(profile.error());

  const Manifest& manifest = loaded->manifest;
  const auto layout = resolve(manifest, profile->limits);
  if (!layout) {
    return diagnostics.error(Code::HeapLimit, place,
                             std::format("profile '{}': {}", profile->name, layout.error().text));
  }
  return command.json ? emit::resolved_layout_json(manifest, *layout, profile->name)
                      : emit::resolved_layout_text(manifest, *layout, profile->name);
}

}  // namespace heapsmith::driver
