# SPDX-License-Identifier: MIT
# find_package(heapsmith CONFIG) for applications: heapsmith::manifest, heapsmith::manifest_json, heapsmith::runtime, and,
# where the compiler was built, heapsmith::heapsmith, the command, and heapsmith_add_shaders().
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# A fetched dependency is no package that a consumer could find.
foreach(target IN ITEMS volk::volk Vulkan::Headers)
  get_target_property(imported ${target} IMPORTED)
  if(NOT imported)
    message(STATUS "heapsmith: no install rules, since ${target} was fetched; install its package first")
    return()
  endif()
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heapsmith)
foreach(name IN ITEMS manifest manifest_json runtime)
  set_target_properties(heapsmith_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS heapsmith_${name} EXPORT heapsmithTargets)
endforeach()
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/../include/heapsmith TYPE INCLUDE)
install(EXPORT heapsmithTargets NAMESPACE heapsmith:: DESTINATION ${package_dir})

write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/heapsmithConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_LIST_DIR}/heapsmithConfig.cmake
  ${CMAKE_CURRENT_LIST_DIR}/heapsmith_add_shaders.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/heapsmithConfigVersion.cmake
  DESTINATION ${package_dir})
