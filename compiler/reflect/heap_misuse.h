// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "reflect/context.h"
#include "reflect/heap_chain.h"
#include "reflect/heap_sources.h"
#include "reflect/uses.h"

/// What no heap can give, and spirv-val (2026.4) does not see.
namespace heapsmith::reflect {

/// What is wrong with reading a descriptor through a chain, by an OpLoad, OpBufferPointerEXT or
/// OpUntypedImageTexelPointerEXT: images with their samplers are in no heap, and what is read as a
/// uniform buffer must be one (VUID 11342).
[[nodiscard]] std::optional<std::string> find_misuse(const Context& context, const HeapChain& chain,
                                                     spirv::Instruction reader);

/// An OpSelect or OpPhi of pointers into buffers that are certainly different ones, in a module
/// that declares VariablePointersStorageBuffer only. Nothing if there is none.
struct MixedBuffers {
  uint32_t id = 0;
};
[[nodiscard]] std::optional<MixedBuffers> find_mixed_buffers(const Context& context,
                                                             const ModuleUses& uses,
                                                             const HeapSources& sources,
                                                             std::span<const HeapChain> chains);

}  // namespace heapsmith::reflect
