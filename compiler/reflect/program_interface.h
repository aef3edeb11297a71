// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "reflect/shader_interface.h"

namespace heapsmith::reflect {

/// A shader of a program: an entry point of a reflected module.
struct ShaderUse {
  const ShaderInterface* interface = nullptr;
  uint32_t entryPoint = 0;             ///< index into ShaderInterface::entryPoints
  std::string file;                    ///< for diagnostics
  std::span<const uint32_t> blocks{};  ///< MergedBlocks index of each of its types; may be empty
};

/// One of the variables that are declared on a binding.
struct BindingView {
  std::string name;
  std::string blockName;
  uint32_t block = kNoType;   ///< index into MergedBlocks::types
  std::string counterBuffer;  ///< name of the variable that CounterBuffer links it to
  std::string userType;       ///< UserTypeGOOGLE
  std::optional<uint32_t> inputAttachmentIndex;
  // What any shader that uses it does:
  bool comparison = false;  ///< with a Dref instruction
  bool usesLength = false;
};

/// Adds a view, or what another shader does with it.
void unite_views(std::vector<BindingView>& views, const BindingView& view);

/// A set/binding pair as all stages of a program together see it.
struct ProgramBinding {
  uint32_t set = 0;
  uint32_t binding = 0;
  std::string name;  ///< the first view's, shaders taken in stage order
  DescriptorType
      type{};  ///< CombinedImageSampler also for a texture and a sampler that share the binding
  ArrayKind arrayKind{};
  std::vector<uint32_t> dims;
  uint64_t count = 1;  ///< the longest declaration; for a runtime array the longest sized one, or 0
  uint32_t stages = 0;  ///< ShaderStage bits that use it statically; 0: declared only
  uint32_t kinds = 0;   ///< ResourceKind bits of the variables that are used
  uint64_t minBufferSize = 0;
  std::vector<BindingView> views;
  std::string file;  ///< where it was first seen
  // What any shader that uses it does:
  bool isWritten = false;
  bool usesLength = false;
  /// Its pointer may be picked among those of several variables: the module declares a
  /// VariablePointers capability.
  bool variablePointers = false;
};

struct ProgramInterface {
  uint32_t stages = 0;                         ///< ShaderStage bits of all its shaders
  std::vector<ProgramBinding> bindings;        ///< by set, binding
  std::optional<PushConstants> pushConstants;  ///< the union of the stages' ranges
  uint64_t recordBlockSize = 0;  ///< bytes of the largest shader-record block that a stage uses
};

/// Whether the module declares that pointers to storage buffers may be picked among several.
[[nodiscard]] bool has_variable_pointers(const ShaderInterface& interface);

/// The type of a binding that is declared as both, if a descriptor of that type serves both: a
/// texture and a sampler on one binding make a combined image sampler.
[[nodiscard]] std::optional<DescriptorType> common_type(DescriptorType a, DescriptorType b);

/// Lengthens the array of `binding` to hold another declaration too. A runtime array stays one, and
/// any array wins over a single variable: its index is part of the shader.
void unite_arrays(ProgramBinding& binding, ArrayKind kind, const std::vector<uint32_t>& dims,
                  uint64_t count);

/// Merges the stages of one program. Shaders may disagree on an array's length (the longest counts)
/// and on a block's size (the largest counts, with a warning); a binding of two types is an error
/// that names both places. Resources that only other entry points of a module use do not belong to
/// this program. The result does not depend on the order of the shaders.
[[nodiscard]] Diagnosed<ProgramInterface> merge_stages(std::span<const ShaderUse> shaders,
                                                       Diagnostics& diagnostics);

}  // namespace heapsmith::reflect
