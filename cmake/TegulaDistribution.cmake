# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What users install, in <build>/dist. Each package is made of the installation:
#
#   tegula-packages    tegula_<version>_amd64.deb and tegula-<version>-Linux-x86_64.tar.gz, by CPack
#   tegula-wheel       tegula-<version>-py3-none-manylinux_*_x86_64.whl, by cmake/wheel.py
#
# A build without the compiler makes the packages tegula-runtime, and no wheel.
#
# No package has ptxas or libdevice.10.bc. NVIDIA's terms (CUDA Toolkit EULA 13.0) do not list ptxas as distributable. They do list
# libdevice.10.bc (section 2.6, Attachment A), under the conditions of section 1.1.2: terms of distribution consistent with the EULA,
# access by the application alone. A package of libdevice alone would bring these terms to its users and still need a CUDA toolkit
# for ptxas, and that has libdevice, too. tegulac finds both at run time (compiler/driver/Installation.h).

if(NOT TEGULA_INSTALL)
  return()
endif()

set(CPACK_PACKAGE_NAME tegula)
set(CPACK_PACKAGE_VENDOR "Tegula maintainers")
set(CPACK_PACKAGE_CONTACT "Tegula maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Ahead-of-time compiler for GPU tile kernels in C++")
set(CPACK_PACKAGE_DESCRIPTION
    "tegulac compiles kernels written in C++ on whole tiles, in the programming model of JAX Pallas, to cubins for NVIDIA GPUs and to C++
 for the CPU. Programs link the runtime, a static library. Cubins need ptxas 12.8 or newer, of a CUDA toolkit or of PyPI's
 nvidia-cuda-nvcc.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/dist)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0) # As many as there are cores compress the .deb.
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS g++)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, pkg-config")
set(tegula_packaged tegula_runtime)
if(TEGULA_BUILD_COMPILER)
  list(APPEND tegula_packaged tegulac tegula_language_pch)
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS ", cuda-nvcc-13-0") # Of NVIDIA's repository: ptxas.
  # What tegulac loads: the C library, and zlib and zstd unless they were linked as archives.
  find_program(TEGULA_SHLIBDEPS dpkg-shlibdeps DOC "Finds what the .deb depends on")
  find_program(TEGULA_FILE file DOC "What CPack needs beside dpkg-shlibdeps")
  mark_as_advanced(TEGULA_SHLIBDEPS TEGULA_FILE)
  if(TEGULA_SHLIBDEPS AND TEGULA_FILE)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  else()
    set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), zlib1g, libzstd1")
  endif()
else()
  set(CPACK_PACKAGE_NAME tegula-runtime)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Runtime of Tegula, a compiler for GPU tile kernels in C++")
  set(CPACK_PACKAGE_DESCRIPTION "The static library that programs with kernels compiled by tegulac link, its headers and its CMake package.")
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS tegula)
endif()
set(CPACK_PACKAGE_FILE_NAME ${CPACK_PACKAGE_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
include(CPack)

add_custom_target(tegula-packages
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  COMMENT "Packing dist/"
  VERBATIM)
add_dependencies(tegula-packages ${tegula_packaged})
if(TEGULA_BUILD_COMPILER)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  add_custom_target(tegula-wheel
    COMMAND ${CMAKE_COMMAND} -E rm -rf dist/wheel
    COMMAND ${CMAKE_COMMAND} --install . --prefix dist/wheel --strip
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/wheel.py dist/wheel dist
    COMMAND ${CMAKE_COMMAND} -E rm -rf dist/wheel
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    COMMENT "Packing the wheel"
    VERBATIM)
  add_dependencies(tegula-wheel ${tegula_packaged})
endif()
