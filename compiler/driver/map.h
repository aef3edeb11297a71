// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "driver/load_shaders.h"
#include "plan/group_programs.h"

namespace heapsmith::driver {

struct MapOptions {
  ShaderOptions shaders;
  std::vector<plan::ProgramRequest> programs;
  std::string policyFile;    ///< empty: the default policy
  std::string outputFolder;  ///< "-": the SPIR-V of the single input goes to standard output
  std::string manifestFile;  ///< empty: manifest.json in the output folder
  std::string headerFile;    ///< empty: no header
  std::string headerNamespace = "shaders";
  bool headerStructs = true;  ///< the header has a struct for each block
  std::string
      mathTypes;  ///< for those structs: "glm", "directxmath" or a file; empty: plain arrays
  std::string dependencyFile;                  ///< empty: none
  std::vector<std::string> dependencyTargets;  ///< empty: all outputs
  std::vector<std::string> profiles;           ///< names or files; the layout must fit each
  bool explain = false;                        ///< print why each residence was chosen
  std::vector<std::string> reportFiles;        ///< JSON where they end in .json; "-": printed
  bool rewrite = false;                        ///< shaders are to read the heaps by themselves
  RegionBases regionBases{};                   ///< how they know where regions begin
  bool emitGlsl = false;                       ///< ... and what was rewritten comes as GLSL too
};

/// What goes to standard output.
struct Printed {
  std::string bytes;
};

/// `heapsmith map` and `heapsmith rewrite`: shaders in, SPIR-V and manifest out. The whole
/// pipeline.
[[nodiscard]] Diagnosed<Printed> map(const MapOptions& options, Diagnostics& diagnostics);

}  // namespace heapsmith::driver
