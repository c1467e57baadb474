# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tegula_add_unit_test(<name> SOURCES <file>... [LINK <target>...] [KERNELS <file>...] [ARCHS <arch>...] [STANDARD 17|20] [OPTIMIZE]
#                        [GPU] [MLIR|CLANG])
#       A GoogleTest program <build>/test/bin/<name>, and a test of that name in ctest. KERNELS and ARCHS as in tegula_add_kernels.
#       For each arch after the first, a test <name>_sm<number> runs the code for that one on the GPU.
#       GPU: needs a GPU; joins gpu-bundle, and has the ctest label gpu. MLIR, CLANG: built as a room of the compiler.
#       STANDARD: of C++ [20]. OPTIMIZE: SOURCES themselves hold what is tested, and are optimised. Elsewhere that would take longer than the test.

find_package(GTest QUIET)
if(NOT GTest_FOUND)
  message(FATAL_ERROR "The tests need GoogleTest: apt-get install libgtest-dev, or leave the tests out with -DTEGULA_BUILD_TESTS=OFF")
endif()
set(TEGULA_TEST_RESULTS ${PROJECT_BINARY_DIR}/test/results)
file(MAKE_DIRECTORY ${TEGULA_TEST_RESULTS})

# GoogleTest, the runtime's header and what stubs include, precompiled, for each standard. That stubs include what they need is seen where
# users' compilers read them: in samples, benchmarks and the tests of stub/.
if(TEGULA_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/test/empty.cpp "")
  foreach(standard 17 20)
    add_library(tegula_pch_test_${standard} OBJECT ${PROJECT_BINARY_DIR}/test/empty.cpp)
    target_link_libraries(tegula_pch_test_${standard} PRIVATE GTest::gtest tegula::runtime)
    target_compile_options(tegula_pch_test_${standard} PRIVATE -O0)
    set_target_properties(tegula_pch_test_${standard} PROPERTIES CXX_STANDARD ${standard})
    target_precompile_headers(tegula_pch_test_${standard} PRIVATE
      <gtest/gtest.h> <tegula/abi.h> <tegula/cpu/kernel.h> <tegula/runtime.h> <algorithm> <cmath> <cstdint> <cstring> <limits> <random> <string> <vector>)
  endforeach()
endif()

function(tegula_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "GPU;MLIR;CLANG;OPTIMIZE" "STANDARD" "SOURCES;LINK;KERNELS;ARCHS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "tegula_add_unit_test(${name}): SOURCES are missing, or these arguments are unknown: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(ARG_MLIR)
    tegula_add_compiler_program(${name} SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  elseif(ARG_CLANG)
    tegula_add_compiler_program(${name} CLANG SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  else()
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
    if(NOT ARG_STANDARD)
      set(ARG_STANDARD 20)
    endif()
    set_target_properties(${name} PROPERTIES CXX_STANDARD ${ARG_STANDARD})
    if(NOT ARG_OPTIMIZE)
      target_compile_options(${name} PRIVATE -O0)
      if(TEGULA_PCH AND (ARG_KERNELS OR "tegula::runtime" IN_LIST ARG_LINK))
        target_precompile_headers(${name} REUSE_FROM tegula_pch_test_${ARG_STANDARD})
      endif()
    endif()
  endif()
  target_link_libraries(${name} PRIVATE GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/bin)
  if(ARG_KERNELS)
    tegula_add_kernels(${name} SOURCES ${ARG_KERNELS} ARCHS ${ARG_ARCHS} OPTIONS --verify ${ARG_OPTIONS})
  endif()
  add_test(NAME ${name} COMMAND ${name} --gtest_output=xml:${TEGULA_TEST_RESULTS}/${name}.xml)
  # Code for older architectures, which newer GPUs run, too. On the CPU it is the same.
  if(ARG_ARCHS)
    list(POP_FRONT ARG_ARCHS)
  endif()
  foreach(arch IN LISTS ARG_ARCHS)
    string(REGEX MATCH "[0-9]+" number ${arch})
    add_test(NAME ${name}_sm${number} COMMAND ${name} --gtest_output=xml:${TEGULA_TEST_RESULTS}/${name}_sm${number}.xml)
    set_tests_properties(${name}_sm${number} PROPERTIES LABELS gpu ENVIRONMENT "TEGULA_MAX_ARCH=${number};TEGULA_TEST_DEVICE=gpu")
    set_property(TARGET ${name} APPEND PROPERTY TEGULA_OLDER_ARCHS ${number})
  endforeach()
  if(ARG_GPU)
    set_tests_properties(${name} PROPERTIES LABELS gpu)
    tegula_bundle(TESTS ${name})
  endif()
endfunction()
