# SPDX-License-Identifier: MIT
# What the compiler needs. SPIRV-Tools finds the headers' sources through the target that comes before it, and packages of
# SPIRV-Cross find its core.
set(SPIRV_SKIP_TESTS ON)
set(SPIRV_SKIP_EXECUTABLES ON)
set(SPIRV_WERROR OFF)
set(ENABLE_OPT OFF)
set(ENABLE_GLSLANG_BINARIES OFF)
set(GLSLANG_TESTS OFF)
set(SPIRV_CROSS_CLI OFF)
set(SPIRV_CROSS_ENABLE_TESTS OFF)

heapsmith_dependency(SPIRV-Headers TARGET SPIRV-Headers::SPIRV-Headers
  GIT_REPOSITORY https://github.com/KhronosGroup/SPIRV-Headers.git GIT_TAG ${HEAPSMITH_VULKAN_SDK})
heapsmith_dependency(SPIRV-Tools TARGET SPIRV-Tools-static
  GIT_REPOSITORY https://github.com/KhronosGroup/SPIRV-Tools.git GIT_TAG ${HEAPSMITH_VULKAN_SDK})
heapsmith_dependency(glslang TARGET glslang::glslang
  GIT_REPOSITORY https://github.com/KhronosGroup/glslang.git GIT_TAG ${HEAPSMITH_VULKAN_SDK})
heapsmith_dependency(spirv_cross_core TARGET spirv-cross-core
  GIT_REPOSITORY https://github.com/KhronosGroup/SPIRV-Cross.git GIT_TAG ${HEAPSMITH_VULKAN_SDK})
heapsmith_dependency(spirv_cross_glsl TARGET spirv-cross-glsl
  GIT_REPOSITORY https://github.com/KhronosGroup/SPIRV-Cross.git GIT_TAG ${HEAPSMITH_VULKAN_SDK})
heapsmith_dependency(CLI11 TARGET CLI11::CLI11
  URL https://github.com/CLIUtils/CLI11/archive/v2.6.2.tar.gz
  URL_HASH SHA256=c6ea6b2e5608b3ea8617999bd5f47420c71b2ebdb8dc4767c1034d1da5785711)
