# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The samples are a project of their own, as a user's would be: with another compiler, through find_package(tegula).
include(ExternalProject)

find_program(TEGULA_SAMPLES_CXX ${TEGULA_SAMPLES_COMPILER} NO_CACHE)
if(NOT TEGULA_SAMPLES_CXX)
  message(FATAL_ERROR "The samples' compiler, ${TEGULA_SAMPLES_COMPILER}, was not found: install it (apt-get install g++), "
                      "name another one with -DTEGULA_SAMPLES_COMPILER=..., or leave the samples out with -DTEGULA_BUILD_SAMPLES=OFF")
endif()
ExternalProject_Add(samples
  SOURCE_DIR ${PROJECT_SOURCE_DIR}/samples
  BINARY_DIR ${PROJECT_BINARY_DIR}/samples
  PREFIX ${PROJECT_BINARY_DIR}/samples.project
  CMAKE_ARGS -DCMAKE_CXX_COMPILER=${TEGULA_SAMPLES_CXX} -Dtegula_DIR=${PROJECT_BINARY_DIR} -DCMAKE_BUILD_TYPE=Release
             "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DTEGULA_WERROR=${TEGULA_WERROR}
  DEPENDS tegulac tegula_language_pch tegula_runtime
  BUILD_ALWAYS ON
  USES_TERMINAL_BUILD ON
  STEP_TARGETS configure # samples-configure: samples/run builds single samples in the binary directory
  INSTALL_COMMAND "")

# One a folder, for the tests. Programs of their own go into the bundle; others start an interpreter.
file(GLOB folders CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/samples ${PROJECT_SOURCE_DIR}/samples/*/CMakeLists.txt)
set(TEGULA_SAMPLES "")
set(TEGULA_SAMPLE_PROGRAMS "")
foreach(folder IN LISTS folders)
  cmake_path(GET folder PARENT_PATH name)
  list(APPEND TEGULA_SAMPLES ${name})
  file(STRINGS ${PROJECT_SOURCE_DIR}/samples/${folder} program REGEX "^add_executable")
  if(program)
    list(APPEND TEGULA_SAMPLE_PROGRAMS ${name})
  endif()
endforeach()
