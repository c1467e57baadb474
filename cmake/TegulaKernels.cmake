# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tegula_add_kernels(<target>
#     SOURCES <kernels.cpp>...         kernel files; <target> gets the entries of each as functions of a header, "<stem>.h"
#     [ARCHS <sm_90a>...]              GPU architectures to embed code for (default: TEGULA_ARCHS, else tegulac's own)
#     [DEFINITIONS <NAME[=VALUE]>...]  macros of the kernel files
#     [INCLUDES <directory>...]        where the kernel files find their headers, besides their own directory
#     [OPTIONS <option>...]            any other option of tegulac
#     [HEADER_FOLDER <name>]           the folder of the generated headers, for targets that link <target> (default: its name)
#     [EXPORT_ENTRIES]                 entries are visible outside a shared library that hides its symbols by default
#     [C_ABI [C_PREFIX <prefix>]])     entries are C functions, too: <prefix><entry> of a header, "<stem>.c.h" (default: <stem>_)
#
# Compiles the kernel files with tegulac to C++, adds that to <target>, and links <target> with the runtime. A source of the
# target includes "<stem>.h". A target that links it includes "<target>/<stem>.h", or "<HEADER_FOLDER>/<stem>.h"; without
# HEADER_FOLDER it may include "<stem>.h", too. The headers of a library are the file set `tegula_headers` (CMake 3.23 and
# later), which install(TARGETS <target> EXPORT ... FILE_SET tegula_headers) installs in their folder.
#
# C functions take DLPack tensors, and are called from C, from Python by ctypes or cffi, and from what else calls C: a SHARED or
# MODULE library has them for those. They are visible whatever the library hides. tegula/dlpack_c.h says what they take.
#
# Kernels are compiled again when they, a header they include, or tegulac itself changes; ptxas runs only for PTX that
# changed (<stem>.cubins keeps its results). The sources of one target have different stems. Kernel files stand in
# compile_commands.json with the flags of tegulac, for editors.
#
# With TEGULA_PTX_ONLY=ON, programs hold PTX and no cubins: building takes a third of the time, and the driver compiles a kernel
# when it is launched first.
#
# tegulac is TEGULA_TEGULAC, a program of the build machine, if that is set; else the target tegula::tegulac.
# cmake/README.md shows complete projects.

# What every function here asks of a call: a target, which `make` makes, and no argument that it does not know.
function(tegula_check_call here target make unknown takes)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${here}: there is no such target; call ${make} before")
  endif()
  if(unknown)
    message(FATAL_ERROR "${here}: unknown arguments: ${unknown}; it takes ${takes}")
  endif()
endfunction()

# The command that runs tegulac on this machine, and what it depends on.
function(tegula_find_tegulac here out_command out_depends)
  if(TEGULA_TEGULAC)
    if(NOT EXISTS ${TEGULA_TEGULAC})
      message(FATAL_ERROR "${here}: TEGULA_TEGULAC is '${TEGULA_TEGULAC}', and there is no such file")
    endif()
    set(${out_command} ${TEGULA_TEGULAC} PARENT_SCOPE)
    set(${out_depends} ${TEGULA_TEGULAC} PARENT_SCOPE)
  elseif(TARGET tegula::tegulac)
    set(${out_command} tegula::tegulac PARENT_SCOPE)
    set(${out_depends} tegula::tegulac $<TARGET_FILE:tegula::tegulac>)
    if(TARGET tegula_language_pch) # Built in this project: the precompiled header of the language spares time.
      list(APPEND ${out_depends} tegula_language_pch)
    endif()
    set(${out_depends} ${${out_depends}} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "${here}: this package of Tegula has the runtime without the compiler. Say where tegulac is, "
                        "-DTEGULA_TEGULAC=<prefix>/bin/tegulac, or find_package a Tegula that was built with TEGULA_BUILD_COMPILER=ON")
  endif()
endfunction()

# Kernel files in compile_commands.json, with the flags that tegulac gives to Clang: an object library that nothing builds.
# __TEGULA__ is what tegulac defines.
function(tegula_add_editor_target target sources flags)
  get_target_property(count ${target} TEGULA_EDITOR_TARGETS)
  if(NOT count)
    set(count 0)
  endif()
  math(EXPR count "${count} + 1")
  set_property(TARGET ${target} PROPERTY TEGULA_EDITOR_TARGETS ${count})
  set(editor ${target}.kernels-for-editors-${count})
  add_library(${editor} OBJECT EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${editor} PROPERTIES EXPORT_COMPILE_COMMANDS ON UNITY_BUILD OFF DISABLE_PRECOMPILE_HEADERS ON FOLDER tegula)
  foreach(property CXX_STANDARD COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES) # The project's are for its host code.
    set_property(TARGET ${editor} PROPERTY ${property})
  endforeach()
  target_include_directories(${editor} SYSTEM PRIVATE $<TARGET_PROPERTY:tegula::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_options(${editor} PRIVATE -std=c++23 -D__TEGULA__ -Wno-reorder-init-list -Wno-undefined-internal -Wno-undefined-inline ${flags})
endfunction()

# Two libraries with headers of one name: whoever links both gets one of them, whichever comes first.
function(tegula_check_header_names here target folder stem)
  get_property(owner GLOBAL PROPERTY TEGULA_LIBRARY_OF_HEADER_${stem})
  if(NOT owner)
    set_property(GLOBAL PROPERTY TEGULA_LIBRARY_OF_HEADER_${stem} ${target})
  elseif(NOT owner STREQUAL target)
    message(WARNING "${here}: the library ${owner} has a header ${stem}.h, too, and a program that links both finds only one of them by that "
                    "name: include \"${folder}/${stem}.h\" and say HEADER_FOLDER ${folder}, or rename one of the kernel files")
  endif()
endfunction()

function(tegula_add_kernels target)
  # TORCH_NAMESPACE is for tegula_add_torch_ops alone.
  cmake_parse_arguments(PARSE_ARGV 1 ARG "EXPORT_ENTRIES;C_ABI" "HEADER_FOLDER;TORCH_NAMESPACE;C_PREFIX" "SOURCES;ARCHS;DEFINITIONS;INCLUDES;OPTIONS")
  set(here "tegula_add_kernels(${target})")
  tegula_check_call("${here}" ${target} "add_executable or add_library" "${ARG_UNPARSED_ARGUMENTS}"
                    "SOURCES, ARCHS, DEFINITIONS, INCLUDES, OPTIONS, HEADER_FOLDER, EXPORT_ENTRIES, C_ABI and C_PREFIX")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY" OR type STREQUAL "UTILITY")
    message(FATAL_ERROR "${here}: the target compiles nothing (${type}), so it cannot hold kernels; use a library or an executable")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "${here}: SOURCES names no kernel file")
  endif()
  if(DEFINED ARG_C_PREFIX)
    list(LENGTH ARG_SOURCES source_count)
    if(NOT ARG_C_ABI)
      message(FATAL_ERROR "${here}: C_PREFIX is how the names of C functions begin: say C_ABI, too")
    elseif(source_count GREATER 1)
      message(FATAL_ERROR "${here}: C_PREFIX is for one kernel file, since functions of several would have one name: leave it out, then each file has "
                          "the prefix <stem>_, or call tegula_add_kernels for each")
    elseif(NOT ARG_C_PREFIX MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
      message(FATAL_ERROR "${here}: C_PREFIX '${ARG_C_PREFIX}' does not begin a C name: it has letters, digits and '_'")
    endif()
  endif()
  if(NOT ARG_ARCHS)
    set(ARG_ARCHS ${TEGULA_ARCHS})
  endif()
  set(has_plain_headers OFF)
  if(NOT ARG_HEADER_FOLDER)
    set(ARG_HEADER_FOLDER ${target})
    set(has_plain_headers ON)
  endif()
  tegula_find_tegulac("${here}" tegulac tegulac_depends)
  set(is_library OFF)
  if(type MATCHES "^(STATIC|SHARED|OBJECT)_LIBRARY$")
    set(is_library ON)
  endif()

  set(flags "")
  set(clang_flags "")
  foreach(arch IN LISTS ARG_ARCHS)
    if(NOT arch MATCHES "^sm_[0-9]+[af]?$")
      message(FATAL_ERROR "${here}: '${arch}' is no architecture; ARCHS takes names like sm_80 and sm_90a")
    endif()
    list(APPEND flags --arch=${arch})
  endforeach()
  foreach(definition IN LISTS ARG_DEFINITIONS)
    string(REGEX REPLACE "^-D" "" definition "${definition}")
    list(APPEND clang_flags "-D${definition}")
  endforeach()
  foreach(directory IN LISTS ARG_INCLUDES)
    cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND clang_flags "-I${directory}")
  endforeach()
  list(APPEND flags ${clang_flags})
  if(CMAKE_GENERATOR MATCHES "Ninja")
    # Ninja looks at times again after a command: a new tegulac that writes the same costs no compilation. Make would run
    # the command again and again.
    list(APPEND flags --keep-unchanged)
  endif()
  list(APPEND flags --reuse-cubins ${ARG_OPTIONS})
  if(TEGULA_PTX_ONLY)
    list(APPEND flags --ptx-only)
  endif()
  if(ARG_TORCH_NAMESPACE)
    list(APPEND flags --torch-namespace=${ARG_TORCH_NAMESPACE})
  endif()
  if(ARG_C_ABI AND DEFINED ARG_C_PREFIX)
    list(APPEND flags --c-abi=${ARG_C_PREFIX})
  elseif(ARG_C_ABI)
    list(APPEND flags --c-abi)
  endif()
  if(ARG_EXPORT_ENTRIES)
    list(APPEND flags --export-entries)
  endif()

  set(root ${CMAKE_CURRENT_BINARY_DIR}/${target}.tegula)
  set(directory ${root}/${ARG_HEADER_FOLDER})
  file(MAKE_DIRECTORY ${directory})
  get_target_property(stems ${target} TEGULA_KERNEL_STEMS)
  if(NOT stems)
    set(stems "")
  endif()
  get_target_property(host_sources ${target} SOURCES)
  set(kernel_files "")
  set(added "")
  foreach(source IN LISTS ARG_SOURCES)
    set(written ${source})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(host_sources) # A pattern may have found the file for the host compiler, too.
      list(REMOVE_ITEM host_sources ${written} ${source})
    endif()
    list(APPEND kernel_files ${source})
    get_source_file_property(generated ${source} GENERATED)
    if(NOT EXISTS ${source} AND NOT generated)
      message(FATAL_ERROR "${here}: there is no file ${source}")
    endif()
    cmake_path(GET source STEM LAST_ONLY stem)
    if(stem IN_LIST stems)
      message(FATAL_ERROR "${here}: two kernel files are named ${stem}: their headers would both be ${stem}.h; rename one")
    endif()
    list(APPEND stems ${stem})
    if(is_library AND has_plain_headers)
      tegula_check_header_names("${here}" ${target} ${ARG_HEADER_FOLDER} ${stem})
    endif()

    set(base ${directory}/${stem})
    set(headers ${base}.h)
    set(sources ${base}.cpp)
    if(ARG_C_ABI)
      list(APPEND headers ${base}.c.h)
      list(APPEND sources ${base}.c.cpp)
    endif()
    if(ARG_TORCH_NAMESPACE)
      list(APPEND sources ${base}.torch.cpp)
    endif()
    add_custom_command(
      OUTPUT ${headers} ${sources}
      BYPRODUCTS ${base}.cubins
      COMMAND ${tegulac} ${flags} -MD -MP -MF ${base}.d -MT ${base}.h -o ${base} ${source}
      DEPENDS ${source} ${tegulac_depends}
      DEPFILE ${base}.d
      COMMENT "Compiling kernels ${stem} for ${target}"
      VERBATIM)
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    list(APPEND added ${sources})
    if(is_library AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.23)
      target_sources(${target} PUBLIC FILE_SET tegula_headers TYPE HEADERS BASE_DIRS ${root} FILES ${headers})
    else()
      list(APPEND added ${headers})
    endif()
  endforeach()
  if(NOT host_sources)
    set(host_sources "")
  endif()
  set_property(TARGET ${target} PROPERTY SOURCES ${host_sources})
  target_sources(${target} PRIVATE ${added})
  tegula_add_editor_target(${target} "${kernel_files}" "${clang_flags}")
  set_property(TARGET ${target} PROPERTY TEGULA_KERNEL_STEMS ${stems})
  target_include_directories(${target} PRIVATE ${directory} PUBLIC $<BUILD_INTERFACE:${root}>)
  if(has_plain_headers)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${directory}>)
  endif()
  target_link_libraries(${target} PUBLIC tegula::runtime)
endfunction()
