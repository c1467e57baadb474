# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tegula_add_kernels(<target>
#     SOURCES <kernels.cpp>...       kernel files; <target> gets each one's entries as functions of the header "<stem>.h"
#     [ARCHS <sm_90a>...]            GPU architectures to embed code for (default: TEGULA_ARCHS, else tegulac's own)
#     [DEFINITIONS <NAME[=VALUE]>...]  macros of the kernel files
#     [INCLUDES <directory>...]      where the kernel files find their headers, besides their own directory
#     [OPTIONS <option>...])         any other option of tegulac
#
# Compiles the kernel files with tegulac into C++, adds that to <target> and links it with the runtime: nothing else is needed.
# Kernels are compiled again when they, a header they include, or tegulac itself changes, by ptxas only where their PTX changed
# (<stem>.cubins keeps what it made). Sources of one target have different
# stems. The function works the same within Tegula's own tree, with its build tree and with an installed package.

# What every function here asks of a call: a target, which `make` makes, and no argument that it does not know.
function(tegula_check_call here target make unknown takes)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${here}: there is no such target; call ${make} before")
  endif()
  if(unknown)
    message(FATAL_ERROR "${here}: unknown arguments: ${unknown}; it takes ${takes}")
  endif()
endfunction()

function(tegula_add_kernels target)
  # TORCH_NAMESPACE is for tegula_add_torch_ops alone.
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TORCH_NAMESPACE" "SOURCES;ARCHS;DEFINITIONS;INCLUDES;OPTIONS")
  set(here "tegula_add_kernels(${target})")
  tegula_check_call("${here}" ${target} "add_executable or add_library" "${ARG_UNPARSED_ARGUMENTS}"
                    "SOURCES, ARCHS, DEFINITIONS, INCLUDES and OPTIONS")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY" OR type STREQUAL "UTILITY")
    message(FATAL_ERROR "${here}: the target compiles nothing (${type}), so it cannot hold kernels; use a library or an executable")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "${here}: SOURCES names no kernel file")
  endif()
  if(NOT ARG_ARCHS)
    set(ARG_ARCHS ${TEGULA_ARCHS})
  endif()

  set(flags "")
  foreach(arch IN LISTS ARG_ARCHS)
    if(NOT arch MATCHES "^sm_[0-9]+[af]?$")
      message(FATAL_ERROR "${here}: '${arch}' is no architecture; ARCHS takes names like sm_80 and sm_90a")
    endif()
    list(APPEND flags --arch=${arch})
  endforeach()
  foreach(definition IN LISTS ARG_DEFINITIONS)
    string(REGEX REPLACE "^-D" "" definition "${definition}")
    list(APPEND flags "-D${definition}")
  endforeach()
  foreach(directory IN LISTS ARG_INCLUDES)
    cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND flags "-I${directory}")
  endforeach()
  if(CMAKE_GENERATOR MATCHES "Ninja")
    # Ninja looks at times again after a command: a new tegulac that writes the same costs no compilation. Make would run
    # the command again and again.
    list(APPEND flags --keep-unchanged)
  endif()
  list(APPEND flags --reuse-cubins ${ARG_OPTIONS})
  if(ARG_TORCH_NAMESPACE)
    list(APPEND flags --torch-namespace=${ARG_TORCH_NAMESPACE})
  endif()
  set(language "")
  if(TARGET tegula_language_pch) # In Tegula's own tree: the language's header, precompiled, spares time.
    set(language tegula_language_pch)
  endif()

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.tegula)
  file(MAKE_DIRECTORY ${directory})
  get_target_property(stems ${target} TEGULA_KERNEL_STEMS)
  if(NOT stems)
    set(stems "")
  endif()
  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    get_source_file_property(generated ${source} GENERATED)
    if(NOT EXISTS ${source} AND NOT generated)
      message(FATAL_ERROR "${here}: there is no file ${source}")
    endif()
    cmake_path(GET source STEM LAST_ONLY stem)
    if(stem IN_LIST stems)
      message(FATAL_ERROR "${here}: two kernel files are named ${stem}: their headers would both be ${stem}.h; rename one")
    endif()
    list(APPEND stems ${stem})

    set(base ${directory}/${stem})
    set(made ${base}.h ${base}.cpp)
    if(ARG_TORCH_NAMESPACE)
      list(APPEND made ${base}.torch.cpp)
    endif()
    add_custom_command(
      OUTPUT ${made}
      BYPRODUCTS ${base}.cubins
      COMMAND tegula::tegulac ${flags} -MD -MF ${base}.d -MT ${base}.h -o ${base} ${source}
      DEPENDS ${source} tegula::tegulac $<TARGET_FILE:tegula::tegulac> ${language}
      DEPFILE ${base}.d
      COMMENT "Compiling kernels ${stem} for ${target}"
      VERBATIM)
    # The kernel file is shown with the target, but never given to the host compiler.
    set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
    target_sources(${target} PRIVATE ${source} ${made})
  endforeach()
  set_property(TARGET ${target} PROPERTY TEGULA_KERNEL_STEMS ${stems})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${directory}>)
  target_link_libraries(${target} PUBLIC tegula::runtime)
endfunction()
