# SPDX-License-Identifier: MIT
include(CMakeFindDependencyMacro)
find_dependency(VulkanHeaders CONFIG)
find_dependency(volk CONFIG)
include(${CMAKE_CURRENT_LIST_DIR}/heapsmithTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/heapsmith_add_shaders.cmake)
