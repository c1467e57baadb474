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
  # It names the headers that it was made of: those of the installation, unless that is only packed here (DESTDIR).
  install(CODE "
    if(\"\$ENV{DESTDIR}\" STREQUAL \"\")
      set(prefix \${CMAKE_INSTALL_PREFIX})
      file(MAKE_DIRECTORY \${prefix}/lib/tegula)
      execute_process(COMMAND \${prefix}/${CMAKE_INSTALL_BINDIR}/tegulac --emit=pch -o \${prefix}/${TEGULA_LANGUAGE_PCH}
                              \${prefix}/${CMAKE_INSTALL_INCLUDEDIR}/tegula/tegula.h
                      COMMAND_ERROR_IS_FATAL ANY)
    endif()")
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
