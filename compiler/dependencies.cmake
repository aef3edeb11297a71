# SPDX-License-Identifier: MIT
# What the compiler needs. SPIRV-Tools finds the headers' sources through the target that comes before it.
set(SPIRV_SKIP_TESTS ON)
set(SPIRV_SKIP_EXECUTABLES ON)
set(SPIRV_WERROR OFF)
set(ENABLE_OPT OFF)
set(ENABLE_GLSLANG_BINARIES OFF)
set(GLSLANG_TESTS OFF)

heapsmith_dependency(SPIRV-Headers TARGET SPIRV-Headers::SPIRV-Headers
  GIT_REPOSITORY https://github.com/KhronosGroup/SPIRV-Headers.git GIT_TAG vulkan-sdk-1.4.357.0)
heapsmith_dependency(SPIRV-Tools TARGET SPIRV-Tools-static
  GIT_REPOSITORY https://github.com/KhronosGroup/SPIRV-Tools.git GIT_TAG v2026.4)
heapsmith_dependency(glslang TARGET glslang::glslang
  GIT_REPOSITORY https://github.com/KhronosGroup/glslang.git GIT_TAG 16.6.0)
heapsmith_dependency(CLI11 TARGET CLI11::CLI11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git GIT_TAG v2.6.1)
