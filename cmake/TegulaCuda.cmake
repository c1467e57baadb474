# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds ptxas (12.8 or newer, 13 preferred) and libdevice: in an installed CUDA toolkit, or in the private Python environment
# .venv that test/run and samples/run make where there is no toolkit. Sets TEGULA_PTXAS and TEGULA_LIBDEVICE; tegulac's own
# defaults come from them, and its environment overrides them at run time.

cmake_policy(VERSION 3.25) # For `cmake -P`, by which cmake/setup.sh asks whether anything is missing.
set(TEGULA_PTXAS "" CACHE FILEPATH "ptxas, 12.8 or newer (empty: look for it)")
set(TEGULA_LIBDEVICE "" CACHE FILEPATH "libdevice.10.bc (empty: look for it)")

# Toolkit roots by preference: each may hold bin/ptxas and nvvm/libdevice/libdevice.10.bc.
function(tegula_cuda_roots out)
  set(roots $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
  find_program(on_path ptxas NO_CACHE)
  if(on_path)
    file(REAL_PATH ${on_path} on_path)
    cmake_path(GET on_path PARENT_PATH bin)
    cmake_path(GET bin PARENT_PATH root)
    list(APPEND roots ${root})
  endif()
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH tree)
  file(GLOB private ${tree}/.venv/lib/python3*/site-packages/nvidia/cu13)
  list(APPEND roots ${private})
  list(REMOVE_DUPLICATES roots)
  set(${out} ${roots} PARENT_SCOPE)
endfunction()

function(tegula_ptxas_version ptxas out)
  set(version 0)
  execute_process(COMMAND ${ptxas} --version OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND text MATCHES "release ([0-9]+\\.[0-9]+)")
    set(version ${CMAKE_MATCH_1})
  endif()
  set(${out} ${version} PARENT_SCOPE)
endfunction()

function(tegula_find_cuda)
  tegula_cuda_roots(roots)
  set(best "")
  set(best_version 0)
  foreach(root IN LISTS roots)
    if(EXISTS ${root}/bin/ptxas AND best_version VERSION_LESS 13)
      tegula_ptxas_version(${root}/bin/ptxas version)
      if(version VERSION_GREATER_EQUAL 12.8 AND version VERSION_GREATER best_version)
        set(best ${root})
        set(best_version ${version})
      endif()
    endif()
  endforeach()
  if(NOT TEGULA_PTXAS AND best)
    set(TEGULA_PTXAS ${best}/bin/ptxas)
  endif()
  foreach(root IN LISTS best roots)
    if(NOT TEGULA_LIBDEVICE AND EXISTS ${root}/nvvm/libdevice/libdevice.10.bc)
      set(TEGULA_LIBDEVICE ${root}/nvvm/libdevice/libdevice.10.bc)
    endif()
  endforeach()

  set(version 0)
  if(TEGULA_PTXAS)
    tegula_ptxas_version(${TEGULA_PTXAS} version)
  endif()
  if(version VERSION_LESS 12.8 OR NOT EXISTS "${TEGULA_LIBDEVICE}")
    list(JOIN roots ", " places)
    message(FATAL_ERROR
      "Tegula's compiler needs ptxas 12.8 or newer and libdevice.10.bc (ptxas: '${TEGULA_PTXAS}', version ${version}; libdevice: "
      "'${TEGULA_LIBDEVICE}'). Looked in: ${places}.\n"
      "Install a CUDA toolkit, or let this checkout have its own copy, which takes no root: cmake/setup.sh cuda\n"
      "or say where they are: -DTEGULA_PTXAS=<file> -DTEGULA_LIBDEVICE=<file>")
  endif()
  message(STATUS "ptxas ${version}: ${TEGULA_PTXAS}")
  message(STATUS "libdevice: ${TEGULA_LIBDEVICE}")
  # For --emit=sass alone: tegulac says what is missing when it is asked for that.
  cmake_path(GET TEGULA_PTXAS PARENT_PATH bin)
  find_program(TEGULA_NVDISASM nvdisasm HINTS ${bin} DOC "nvdisasm, for tegulac --emit=sass")
  set(TEGULA_PTXAS ${TEGULA_PTXAS} PARENT_SCOPE)
  set(TEGULA_LIBDEVICE ${TEGULA_LIBDEVICE} PARENT_SCOPE)
endfunction()
tegula_find_cuda()
