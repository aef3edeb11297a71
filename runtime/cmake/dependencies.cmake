# SPDX-License-Identifier: MIT
# Third-party libraries: what find_package finds is taken; what it does not is fetched at a pinned version.
include(FetchContent)

# heapsmith_dependency(<package> TARGET <target that must exist afterwards> ...FetchContent_Declare arguments)
function(heapsmith_dependency package)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "")
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

# Khronos tags all its projects, and volk, once for each Vulkan SDK: one tag is one set of versions that fit together.
# Packaged libraries are what heapsmith is tested with.
set(HEAPSMITH_VULKAN_SDK vulkan-sdk-1.4.357.0)

# What the runtime needs; the compiler's needs are in compiler/dependencies.cmake.
heapsmith_dependency(VulkanHeaders TARGET Vulkan::Headers
  GIT_REPOSITORY https://github.com/KhronosGroup/Vulkan-Headers.git GIT_TAG ${HEAPSMITH_VULKAN_SDK})
heapsmith_dependency(volk TARGET volk::volk
  GIT_REPOSITORY https://github.com/zeux/volk.git GIT_TAG ${HEAPSMITH_VULKAN_SDK})
heapsmith_dependency(nlohmann_json TARGET nlohmann_json::nlohmann_json
  URL https://github.com/nlohmann/json/archive/v3.11.3.tar.gz
  URL_HASH SHA256=0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)
