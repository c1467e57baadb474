# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds LLVM, MLIR and Clang 19, or says which packages bring them.

set(tegula_llvm_packages
    "clang-19 lld-19 llvm-19-dev llvm-19-tools libclang-19-dev libmlir-19-dev mlir-19-tools libcli11-dev")

function(tegula_llvm_missing what)
  message(FATAL_ERROR
    "Tegula's compiler needs LLVM, MLIR and Clang 19.1: ${what}.\n"
    "On Debian 12 (and newer): apt-get install --no-install-recommends ${tegula_llvm_packages}\n"
    "Elsewhere: -DTEGULA_LLVM_PREFIX=<prefix of an LLVM 19.1 with MLIR, Clang and shared libraries>.\n"
    "For the runtime alone, which needs none of them: -DTEGULA_BUILD_COMPILER=OFF")
endfunction()

find_program(TEGULA_LLVM_CONFIG NAMES llvm-config-19 PATHS /usr/lib/llvm-19/bin)
mark_as_advanced(TEGULA_LLVM_CONFIG)
if(NOT DEFINED TEGULA_LLVM_PREFIX)
  if(NOT TEGULA_LLVM_CONFIG)
    tegula_llvm_missing("llvm-config-19 was not found")
  endif()
  execute_process(COMMAND ${TEGULA_LLVM_CONFIG} --prefix OUTPUT_VARIABLE tegula_prefix OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(TEGULA_LLVM_PREFIX ${tegula_prefix} CACHE PATH "Prefix of LLVM, MLIR and Clang 19")
endif()

# MLIRTargets.cmake fails in its own words on missing files of mlir-19-tools: look first.
foreach(tool mlir-pdll mlir-tblgen FileCheck clang)
  if(NOT EXISTS ${TEGULA_LLVM_PREFIX}/bin/${tool})
    tegula_llvm_missing("${TEGULA_LLVM_PREFIX}/bin/${tool} is missing")
  endif()
endforeach()

list(PREPEND CMAKE_PREFIX_PATH ${TEGULA_LLVM_PREFIX})
# LLVM's own package looks for C libraries, which takes the C language to be enabled.
enable_language(C)
foreach(package LLVM MLIR Clang)
  if(package STREQUAL "Clang") # Its package has no version file.
    find_package(Clang QUIET CONFIG)
  else()
    find_package(${package} 19.1 QUIET CONFIG)
  endif()
  if(NOT ${package}_FOUND)
    tegula_llvm_missing("CMake's package ${package} was not found under ${TEGULA_LLVM_PREFIX}")
  endif()
endforeach()
foreach(library clang-cpp MLIR LLVM)
  if(NOT TARGET ${library})
    tegula_llvm_missing("the shared library ${library} is missing")
  endif()
endforeach()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} with MLIR and Clang: ${TEGULA_LLVM_PREFIX}")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
# The depfiles of LLVM's tablegen function are written for the policy's old meaning; with the new one everything is always out of date.
cmake_policy(PUSH)
cmake_policy(SET CMP0116 OLD)
include(TableGen)
include(AddMLIR)
cmake_policy(POP)

# A program links the shared libraries alone or, with the property TEGULA_LINK_ARCHIVES, the archives alone: both hold
# LLVM's options, and a program with two copies ends at its start. The archives spare a process some 40 ms of relocation,
# which is half the time of a small kernel; lld takes them in any order, and only what is called.
file(GLOB tegula_archives ${TEGULA_LLVM_PREFIX}/lib/libclang*.a ${TEGULA_LLVM_PREFIX}/lib/libMLIR*.a
     ${TEGULA_LLVM_PREFIX}/lib/libLLVM*.a)
list(FILTER tegula_archives EXCLUDE REGEX "libMLIR(CAPI|Test)|Runner")
add_library(tegula_llvm_archives INTERFACE)
set(tegula_have_archives ${TEGULA_LLD})
foreach(archive clangFrontend MLIRIR LLVMNVPTXCodeGen)
  if(NOT EXISTS ${TEGULA_LLVM_PREFIX}/lib/lib${archive}.a)
    set(tegula_have_archives OFF)
  endif()
endforeach()
foreach(library z zstd z3 xml2 tinfo)
  # An archive of zlib and of zstd (zlib1g-dev, libzstd-dev) spares tegulac's users the libraries: it needs glibc alone then.
  set(archive "")
  if(library MATCHES "^z(std)?$")
    set(archive lib${library}.a)
  endif()
  # Of some there is only what a program loads, without what the packages for development add.
  find_library(TEGULA_${library}_LIBRARY NAMES ${archive} ${library} lib${library}.so.1 lib${library}.so.4)
  mark_as_advanced(TEGULA_${library}_LIBRARY)
  if(TEGULA_${library}_LIBRARY)
    list(APPEND tegula_archives ${TEGULA_${library}_LIBRARY})
  endif()
endforeach()
target_link_libraries(tegula_llvm_archives INTERFACE ${tegula_archives})
# Every page that a process touches counts: initialisers lie together, and nothing is looked up in libstdc++. A file that is
# written whole lies in large pages of the system's cache: all of tegulac runs a sixth faster than from one that lld mapped.
target_link_options(tegula_llvm_archives INTERFACE -Wl,--gc-sections -Wl,--as-needed -no-pie -Wl,-z,keep-text-section-prefix
                    -Wl,--no-mmap-output-file -static-libstdc++ -static-libgcc)
option(TEGULA_LINK_ARCHIVES "Link tegulac with LLVM's archives, where there are any" ON)
if(NOT TEGULA_LINK_ARCHIVES)
  set(tegula_have_archives OFF)
endif()

set(tegula_use_archives "$<AND:$<BOOL:${tegula_have_archives}>,$<BOOL:$<TARGET_PROPERTY:TEGULA_LINK_ARCHIVES>>>")
add_library(tegula_libraries_mlir INTERFACE)
target_include_directories(tegula_libraries_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_link_libraries(tegula_libraries_mlir INTERFACE "$<IF:${tegula_use_archives},tegula_llvm_archives,MLIR;LLVM>")
add_library(tegula_libraries_clang INTERFACE)
target_link_libraries(tegula_libraries_clang INTERFACE "$<IF:${tegula_use_archives},tegula_llvm_archives,clang-cpp>"
                      tegula_libraries_mlir)

execute_process(COMMAND ${TEGULA_LLVM_PREFIX}/bin/clang -print-resource-dir
                OUTPUT_VARIABLE TEGULA_CLANG_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${TEGULA_CLANG_RESOURCE_DIR}/include/stddef.h)
  tegula_llvm_missing("Clang's own headers are not in ${TEGULA_CLANG_RESOURCE_DIR}")
endif()
