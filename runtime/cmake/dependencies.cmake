# SPDX-License-Identifier: MIT
# Third-party libraries: what find_package finds is taken; what it does not is fetched at a pinned version.
include(FetchContent)

# heapsmith_dependency(<package> TARGET <target that must exist afterwards> ...FetchContent_Declare arguments)
function(heapsmith_dependency package)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;COMPONENT" "")
  if(TARGET ${arg_TARGET})
    return()
  endif()
  find_package(${package} CONFIG QUIET GLOBAL)
  if(NOT TARGET ${arg_TARGET})
    message(STATUS "heapsmith: ${package} is not installed; fetching it")
    FetchContent_Declare(${package} ${arg_UNPARSED_ARGUMENTS} SYSTEM EXCLUDE_FROM_ALL)
    FetchContent_MakeAvailable(${package})
    if(NOT TARGET ${arg_TARGET})
      message(FATAL_ERROR "heapsmith: ${package} does not define ${arg_TARGET}")
    endif()
  endif()
endfunction()

# What the runtime needs; the compiler's needs are in compiler/dependencies.cmake.
heapsmith_dependency(VulkanHeaders TARGET Vulkan::Headers
  GIT_REPOSITORY https://github.com/KhronosGroup/Vulkan-Headers.git GIT_TAG v1.4.363)
heapsmith_dependency(volk TARGET volk::volk
  GIT_REPOSITORY https://github.com/zeux/volk.git GIT_TAG 1.4.357)
heapsmith_dependency(nlohmann_json TARGET nlohmann_json::nlohmann_json
  GIT_REPOSITORY https://github.com/nlohmann/json.git GIT_TAG v3.11.3)
