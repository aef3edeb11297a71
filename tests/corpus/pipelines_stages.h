// SPDX-License-Identifier: MIT
#pragma once

#include <heapsmith/manifest.h>

#include <filesystem>

#include "driver/map.h"
#include "pipelines_create.h"
#include "pipelines_units.h"

namespace corpus {

/// `heapsmith map` of a unit, as one program, into a folder.
[[nodiscard]] heapsmith::driver::MapOptions map_options(const Unit& unit,
                                                        const std::filesystem::path& folder);

/// The stages of a program that was mapped into that folder.
[[nodiscard]] Stages read_stages(const heapsmith::Manifest& manifest,
                                 const heapsmith::Program& program,
                                 const std::filesystem::path& folder);

}  // namespace corpus
