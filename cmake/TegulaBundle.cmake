# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target gpu-bundle: one folder, <build>/gpu-bundle, with every program that a machine with a GPU should run. It needs
# nothing there but the driver and the C library.
#
#   tegula_bundle(TESTS|BENCHMARKS <executable target>...)

function(tegula_bundle kind)
  if(NOT kind MATCHES "^(TESTS|BENCHMARKS)$")
    message(FATAL_ERROR "tegula_bundle: '${kind}' is neither TESTS nor BENCHMARKS")
  endif()
  foreach(target IN LISTS ARGN)
    target_link_options(${target} PRIVATE -Wl,--gc-sections)
    set_property(GLOBAL APPEND PROPERTY TEGULA_BUNDLE_${kind} ${target})
  endforeach()
endfunction()

function(tegula_add_bundle_target)
  set(programs "")
  set(targets "")
  foreach(kind TESTS BENCHMARKS)
    get_property(registered GLOBAL PROPERTY TEGULA_BUNDLE_${kind})
    string(TOLOWER ${kind} folder)
    foreach(target IN LISTS registered)
      list(APPEND programs ${folder}=$<TARGET_FILE:${target}>)
      list(APPEND targets ${target})
      get_target_property(archs ${target} TEGULA_OLDER_ARCHS)
      if(archs)
        foreach(arch IN LISTS archs)
          list(APPEND programs ${folder}=$<TARGET_FILE:${target}>@${arch})
        endforeach()
      endif()
    endforeach()
  endforeach()
  foreach(name IN LISTS TEGULA_SAMPLE_PROGRAMS)
    list(APPEND programs samples=${PROJECT_BINARY_DIR}/samples/${name}/${name})
    list(APPEND targets samples)
  endforeach()
  add_custom_target(gpu-bundle
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/bundle.sh ${PROJECT_BINARY_DIR}/gpu-bundle ${CMAKE_STRIP} ${programs}
    COMMENT "Packing gpu-bundle"
    VERBATIM)
  if(targets)
    add_dependencies(gpu-bundle ${targets})
  endif()
endfunction()
