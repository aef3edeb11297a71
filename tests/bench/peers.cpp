// SPDX-License-Identifier: MIT
#define SPIRV_REFLECT_USE_SYSTEM_SPIRV_H
#include <spirv_reflect/spirv_reflect.h>

#include <exception>
#include <spirv_cross/spirv_cross_parsed_ir.hpp>
#include <spirv_cross/spirv_parser.hpp>

#include "works.h"

namespace bench {
namespace {

/// Reads all that it knows of a module, and lists the bindings.
uint64_t spirv_reflect(const Module& module) {
  SpvReflectShaderModule reflection;
  if (spvReflectCreateShaderModule(module.words.size() * sizeof(uint32_t), module.words.data(),
                                   &reflection) != SPV_REFLECT_RESULT_SUCCESS)
    return 0;
  uint32_t count = 0;
  (void)spvReflectEnumerateDescriptorBindings(&reflection, &count, nullptr);
  std::vector<SpvReflectDescriptorBinding*> bindings(count);
  (void)spvReflectEnumerateDescriptorBindings(&reflection, &count, bindings.data());
  spvReflectDestroyShaderModule(&reflection);
  return count;
}

uint64_t spirv_cross(const Module& module) {
  try {
    spirv_cross::Parser parser(module.words);
    parser.parse();
    return parser.get_parsed_ir().ids.size();
  } catch (const std::exception&) {
    return 0;
  }
}

constexpr Work kWorks[] = {
    {.name = "SPIRV-Reflect", .run = spirv_reflect},
    {.name = "SPIRV-Cross", .run = spirv_cross},
};

}  // namespace

std::span<const Work> peer_works() {
  return kWorks;
}

}  // namespace bench
