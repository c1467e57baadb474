# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the rooms under compiler/ are built with.
#
#   tegula_add_compiler_library(<name> [CLANG] [PLAIN] [BATCH <n>] SOURCES <file>... [LINK <target>...])
#   tegula_add_compiler_program(<name> [CLANG] [PLAIN] SOURCES <file>... [LINK <target>...])
#       C++20 without exceptions; includes are written from compiler/ ("ir/TileDialect.h") and from include/.
#       With TEGULA_UNITY, BATCH files [18] are compiled as one: names that are static to files must not meet in a room.
#       CLANG: the room links Clang's libraries, too. PLAIN: the room uses nothing of MLIR (no precompiled header).
#   tegula_tablegen(<target> <file.td> "<output> <mlir-tblgen option>..."...)
#       Generates <output>, beside the room in the build tree; a library that includes it lists <target> in LINK.
#   tegula_dialect_doc(<target> <file.td> <name> <mlir-tblgen option>...)
#       Writes <build>/docs/<name>.md from the definitions.

# Where tegulac looks for the language's header, precompiled, from the folder that has its bin.
set(TEGULA_LANGUAGE_PCH lib/tegula/language.pch)
# The one that is installed there.
set(TEGULA_PACKAGED_PCH lib/tegula/packaged.pch)
# Where an installed tegulac looks for Clang's own headers: from there, three folders up, tegulac's Clang takes itself to be installed.
set(TEGULA_INSTALLED_CLANG_DIR lib/tegula/clang)

add_library(tegula_compiler_options INTERFACE)
target_compile_features(tegula_compiler_options INTERFACE cxx_std_20)
target_compile_options(tegula_compiler_options INTERFACE -fno-exceptions)
target_include_directories(tegula_compiler_options INTERFACE ${PROJECT_SOURCE_DIR}/compiler ${PROJECT_SOURCE_DIR}/include)
# What mlir-tblgen writes has unused parameters: a system directory keeps -Werror out of it.
target_include_directories(tegula_compiler_options SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/compiler)

# mlir-tblgen takes its search path from this directory property alone.
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/compiler)

if(TEGULA_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/cmake/empty.cpp "")
  add_library(tegula_pch OBJECT ${PROJECT_BINARY_DIR}/cmake/empty.cpp)
  target_link_libraries(tegula_pch PRIVATE tegula_compiler_options tegula_libraries_clang)
  set_target_properties(tegula_pch PROPERTIES PCH_INSTANTIATE_TEMPLATES ON)
  target_precompile_headers(tegula_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)
  add_dependencies(tegula_pch tegula_ir_generated tegula_ir_interfaces)
endif()

function(tegula_configure_room name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "CLANG;PLAIN" "" "SOURCES;LINK")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "${name}: SOURCES are missing, or these arguments are unknown: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  target_sources(${name} PRIVATE ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tegula_compiler_options)
  foreach(dependency IN LISTS ARG_LINK)
    set(type library)
    if(TARGET ${dependency})
      get_target_property(type ${dependency} TYPE)
    endif()
    if(type STREQUAL "UTILITY") # What tegula_tablegen makes.
      add_dependencies(${name} ${dependency})
    else()
      target_link_libraries(${name} PUBLIC ${dependency})
    endif()
  endforeach()
  if(NOT ARG_PLAIN)
    if(ARG_CLANG)
      set(kind clang)
    else()
      set(kind mlir)
    endif()
    target_link_libraries(${name} PUBLIC tegula_libraries_${kind})
    if(TEGULA_PCH)
      target_precompile_headers(${name} REUSE_FROM tegula_pch)
    endif()
  endif()
endfunction()

function(tegula_add_compiler_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "BATCH" "")
  if(NOT ARG_BATCH)
    set(ARG_BATCH 18)
  endif()
  add_library(${name} STATIC)
  tegula_configure_room(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${TEGULA_UNITY} UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
endfunction()

function(tegula_add_compiler_program name)
  add_executable(${name})
  tegula_configure_room(${name} ${ARGN})
endfunction()

function(tegula_tablegen target source)
  set(LLVM_TARGET_DEFINITIONS ${source})
  set(TABLEGEN_OUTPUT)
  foreach(rule IN LISTS ARGN)
    separate_arguments(arguments UNIX_COMMAND "${rule}")
    mlir_tablegen(${arguments})
  endforeach()
  add_custom_target(${target} DEPENDS ${TABLEGEN_OUTPUT})
endfunction()

add_custom_target(tegula-dialect-docs ALL)
function(tegula_dialect_doc target source name)
  set(LLVM_TARGET_DEFINITIONS ${source})
  set(TABLEGEN_OUTPUT)
  mlir_tablegen(${name}.md ${ARGN})
  # mlir_tablegen writes beside the room only.
  set(written ${CMAKE_CURRENT_BINARY_DIR}/${name}.md)
  set(output ${PROJECT_BINARY_DIR}/docs/${name}.md)
  add_custom_command(OUTPUT ${output} COMMAND ${CMAKE_COMMAND} -E copy ${written} ${output} DEPENDS ${written}
                     COMMENT "Copying ${name}.md to docs" VERBATIM)
  add_custom_target(${target} DEPENDS ${output})
  add_dependencies(tegula-dialect-docs ${target})
endfunction()
