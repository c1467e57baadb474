# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The CMake package `tegula`: find_package(tegula) finds it in the build tree (-Dtegula_DIR=<build>) and in an install tree.
include(CMakePackageConfigHelpers)

set(tegula_exported tegula_runtime)
set_target_properties(tegula_runtime PROPERTIES EXPORT_NAME runtime)
if(TEGULA_BUILD_COMPILER)
  list(APPEND tegula_exported tegulac)
  add_executable(tegula::tegulac ALIAS tegulac)
endif()

if(NOT TEGULA_INSTALL)
  return()
endif()

set(tegula_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tegula)
install(TARGETS ${tegula_exported} EXPORT tegulaTargets)
install(DIRECTORY include/tegula DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TEGULA_BUILD_COMPILER)
  # tegulac looks for both beside its bin (compiler/driver/Installation.h). The precompiled header names no folder.
  cmake_path(GET TEGULA_LANGUAGE_PCH PARENT_PATH tegula_pch_dir)
  cmake_path(GET TEGULA_LANGUAGE_PCH FILENAME tegula_pch_name)
  install(FILES ${PROJECT_BINARY_DIR}/${TEGULA_PACKAGED_PCH} DESTINATION ${tegula_pch_dir} RENAME ${tegula_pch_name} OPTIONAL)
  # Clang's own headers, <stddef.h> to <immintrin.h>: those of x86-64, on which tegulac runs.
  install(DIRECTORY ${TEGULA_CLANG_RESOURCE_DIR}/include DESTINATION ${TEGULA_INSTALLED_CLANG_DIR}
          REGEX "/(cuda|ppc|openmp|llvm_libc|zos)_wrappers$|/(fuzzer|orc|profile|sanitizer|xray)$" EXCLUDE
          REGEX "/(arm|riscv|wasm|opencl|hexagon|hvx|hlsl|__clang_cuda|__clang_hip)[^/]*\\.h$" EXCLUDE
          REGEX "/(altivec|htm.*|lasxintrin|lsxintrin|msa|s390intrin|larchintrin|vecintrin|velintrin.*)\\.h$" EXCLUDE)
endif()
install(EXPORT tegulaTargets NAMESPACE tegula:: DESTINATION ${tegula_package_dir})
export(EXPORT tegulaTargets NAMESPACE tegula:: FILE ${PROJECT_BINARY_DIR}/tegulaTargets.cmake)

configure_package_config_file(cmake/tegulaConfig.cmake.in ${PROJECT_BINARY_DIR}/tegulaConfig.cmake
                              INSTALL_DESTINATION ${tegula_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tegulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
foreach(functions TegulaKernels TegulaTorch)
  configure_file(cmake/${functions}.cmake ${PROJECT_BINARY_DIR}/${functions}.cmake COPYONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/tegulaConfig.cmake ${PROJECT_BINARY_DIR}/tegulaConfigVersion.cmake cmake/TegulaKernels.cmake
              cmake/TegulaTorch.cmake
        DESTINATION ${tegula_package_dir})

# pkg-config finds the installation from the folder of the file itself.
file(RELATIVE_PATH tegula_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" tegula_prefix_from_pc ${tegula_prefix_from_pc})
set(tegula_pc_tegulac "")
if(TEGULA_BUILD_COMPILER)
  set(tegula_pc_tegulac "tegulac=\${prefix}/${CMAKE_INSTALL_BINDIR}/tegulac\n")
endif()
configure_file(cmake/tegula.pc.in ${PROJECT_BINARY_DIR}/tegula.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tegula.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Pages and samples, in folders as in the source tree, so that their links hold.
set(tegula_doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/tegula)
install(FILES LICENSE DESTINATION ${tegula_doc_dir})
file(GLOB tegula_pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} *.md cmake/*.md compiler/*.md include/tegula/*.md test/benchmark/RESULTS.md
     test/benchmark/results.svg)
foreach(page IN LISTS tegula_pages)
  cmake_path(GET page PARENT_PATH folder)
  install(FILES ${page} DESTINATION ${tegula_doc_dir}/${folder})
endforeach()
install(DIRECTORY samples DESTINATION ${tegula_doc_dir} PATTERN "run" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY test/package/consumer test/package/library test/package/user DESTINATION ${tegula_doc_dir}/test/package)
if(TEGULA_BUILD_COMPILER)
  # The licences of what is linked into tegulac, where this system states them.
  foreach(package llvm-19-dev libcli11-dev zlib1g libzstd1)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${tegula_doc_dir}/licences RENAME ${package}.txt OPTIONAL)
  endforeach()
endif()
