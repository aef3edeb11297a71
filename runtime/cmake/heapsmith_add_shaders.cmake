# SPDX-License-Identifier: MIT

# heapsmith_add_shaders(<target>
#   NAMESPACE <name>                  of the generated header, <name>.h
#   SHADERS <file>...                 GLSL or SPIR-V
#   [POLICY <file>]
#   [PROGRAMS <name>=<file>,<file>...]
#   [OUTPUT <folder>]                 default: the current binary folder
#   [REWRITE]                         `heapsmith rewrite` instead of `heapsmith map`
#   [OPTIONS <option>...])            further options of that
#
# Compiles the shaders whenever they, what they include, or the policy change: <shader>.spv, manifest.json, and <name>.h, which
# <target> can include. All shaders of one call share one manifest.
function(heapsmith_add_shaders target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "REWRITE" "NAMESPACE;POLICY;OUTPUT" "SHADERS;PROGRAMS;OPTIONS")
  if(NOT arg_NAMESPACE OR NOT arg_SHADERS)
    message(FATAL_ERROR "heapsmith_add_shaders: NAMESPACE and SHADERS are needed")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(arg_OUTPUT)
    set(folder ${arg_OUTPUT})
  endif()
  set(header ${folder}/${arg_NAMESPACE}.h)
  set(outputs ${header} ${folder}/manifest.json)
  # Whole paths, since what a dependency file says is taken relative to the build folder. None gets into an output.
  set(shaders "")
  foreach(shader IN LISTS arg_SHADERS)
    get_filename_component(path ${shader} ABSOLUTE)
    list(APPEND shaders ${path})
    get_filename_component(name ${shader} NAME)
    string(REGEX REPLACE "\\.spv(asm)?$" "" name ${name})
    list(APPEND outputs ${folder}/${name}.spv)
  endforeach()
  set(command map)
  if(arg_REWRITE)
    set(command rewrite)
  endif()
  set(options ${arg_OPTIONS})
  set(policy "")
  if(arg_POLICY)
    get_filename_component(policy ${arg_POLICY} ABSOLUTE)
    list(APPEND options --policy ${policy})
  endif()
  foreach(program IN LISTS arg_PROGRAMS)
    list(APPEND options --program ${program})
  endforeach()
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND heapsmith::heapsmith ${command} ${options} --header ${header} --namespace ${arg_NAMESPACE}
            --depfile ${header}.d --depfile-target ${header} ${shaders} -o ${folder}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    DEPENDS ${shaders} ${policy} heapsmith::heapsmith
    DEPFILE ${header}.d
    COMMENT "Mapping the shaders of ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE ${outputs})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
