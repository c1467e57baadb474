# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tegula_add_torch_ops(<target>
#     SOURCES <kernels.cpp>...       kernel files; each entry becomes a PyTorch operator
#     [NAMESPACE <name>]             of the operators, torch.ops.<name>.<entry> (default: the target's name)
#     [ARCHS ...] [DEFINITIONS ...] [INCLUDES ...] [OPTIONS ...])   as in tegula_add_kernels
#
# <target> is a SHARED or MODULE library. It has the entries as C++ functions, too, as tegula_add_kernels makes them, and registers them when it is
# loaded: torch.ops.load_library(<file>). They run on the CPU and on CUDA devices, where PyTorch has CUDA; tegula/torch.h says more.
#
#   tegula_find_torch(<variable>)    whether there is a PyTorch, 2.7 or newer
#
# That of the project's own find_package(Torch), else that of the Python interpreter TEGULA_TORCH_PYTHON, python3 if it is not set. No CUDA toolkit
# is needed.

function(tegula_is_new_torch out version where)
  set(${out} TRUE PARENT_SCOPE)
  if(version VERSION_LESS 2.7)
    message(STATUS "PyTorch '${version}' of ${where} is too old for Tegula's operators: they need 2.7")
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

function(tegula_find_torch out)
  set(${out} TRUE PARENT_SCOPE)
  if(TARGET tegula::torch)
    return()
  endif()
  find_program(TEGULA_TORCH_PYTHON python3 DOC "The Python interpreter whose PyTorch is used")
  if(TARGET torch)
    tegula_is_new_torch(is_new "${Torch_VERSION}" "find_package(Torch)")
    if(NOT is_new)
      set(${out} FALSE PARENT_SCOPE)
      return()
    endif()
    add_library(tegula::torch INTERFACE IMPORTED GLOBAL)
    target_link_libraries(tegula::torch INTERFACE torch)
    return()
  endif()
  set(root "")
  if(TEGULA_TORCH_PYTHON)
    execute_process(COMMAND ${TEGULA_TORCH_PYTHON} -c
      "import importlib.util as util; found = util.find_spec('torch'); print(found.submodule_search_locations[0] if found else '')"
      OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT root OR NOT EXISTS ${root}/lib/libtorch.so OR NOT EXISTS ${root}/include/torch/library.h)
    set(${out} FALSE PARENT_SCOPE)
    return()
  endif()
  file(STRINGS ${root}/version.py version REGEX "^__version__")
  string(REGEX MATCH "[0-9]+\\.[0-9]+(\\.[0-9]+)?" version "${version}")
  tegula_is_new_torch(is_new "${version}" ${root})
  if(NOT is_new)
    set(${out} FALSE PARENT_SCOPE)
    return()
  endif()
  message(STATUS "PyTorch ${version}: ${root}")
  add_library(tegula::torch INTERFACE IMPORTED GLOBAL)
  target_include_directories(tegula::torch SYSTEM INTERFACE ${root}/include ${root}/include/torch/csrc/api/include)
  # libtorch brings libtorch_cuda, if there is one, though nothing of it is named.
  target_link_libraries(tegula::torch INTERFACE
    -Wl,--push-state,--no-as-needed,${root}/lib/libtorch.so,--pop-state ${root}/lib/libtorch_cpu.so ${root}/lib/libc10.so)
endfunction()

function(tegula_add_torch_ops target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "NAMESPACE" "SOURCES;ARCHS;DEFINITIONS;INCLUDES;OPTIONS")
  set(here "tegula_add_torch_ops(${target})")
  tegula_check_call("${here}" ${target} "add_library(${target} MODULE)" "${ARG_UNPARSED_ARGUMENTS}"
                    "SOURCES, NAMESPACE, ARCHS, DEFINITIONS, INCLUDES and OPTIONS")
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(SHARED|MODULE)_LIBRARY$")
    message(FATAL_ERROR "${here}: the target is no SHARED or MODULE library (${type}), and PyTorch loads operators from such")
  endif()
  if(NOT ARG_NAMESPACE)
    string(MAKE_C_IDENTIFIER ${target} ARG_NAMESPACE)
  endif()
  if(NOT ARG_NAMESPACE MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${here}: NAMESPACE '${ARG_NAMESPACE}' is no name of letters, digits and '_'")
  endif()
  tegula_find_torch(found)
  if(NOT found)
    message(FATAL_ERROR "${here}: PyTorch 2.7 or newer was not found: pip install torch, and name its interpreter, "
                        "-DTEGULA_TORCH_PYTHON=<python3>, or call find_package(Torch) before; tegula_find_torch(<variable>) asks whether there is one")
  endif()
  tegula_add_kernels(${target} SOURCES ${ARG_SOURCES} ARCHS ${ARG_ARCHS} DEFINITIONS ${ARG_DEFINITIONS} INCLUDES ${ARG_INCLUDES}
                     OPTIONS ${ARG_OPTIONS} TORCH_NAMESPACE ${ARG_NAMESPACE})
  target_link_libraries(${target} PRIVATE tegula::torch)
endfunction()
