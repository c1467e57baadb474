# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language level, warnings, optimisation and linker of everything in this tree.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# CMake's own release flags say -O3 -DNDEBUG: -O3 costs build time for nothing here, and an assertion is better than a wrong kernel.
# They count in this tree alone, also where it is a part of another project.
set(tegula_ndebug "")
if(NOT TEGULA_ASSERTIONS)
  set(tegula_ndebug " -DNDEBUG")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2${tegula_ndebug}")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g${tegula_ndebug}")

# Other compilers, and newer ones, warn of what this one does not: an error then is for those who work on Tegula.
add_compile_options(-Wall -Wextra)
if(TEGULA_WERROR)
  add_compile_options(-Werror)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(TEGULA_LLD NAMES ld.lld-${CMAKE_CXX_COMPILER_VERSION_MAJOR} ld.lld-19 ld.lld)
  mark_as_advanced(TEGULA_LLD)
  if(TEGULA_LLD)
    add_link_options(--ld-path=${TEGULA_LLD})
  endif()
endif()

find_program(TEGULA_CCACHE ccache)
mark_as_advanced(TEGULA_CCACHE)
if(TEGULA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TEGULA_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang") # The timestamps inside a precompiled header would defeat the cache.
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
