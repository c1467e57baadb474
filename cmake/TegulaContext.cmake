# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tegula_embed_context(<target>)
#       Puts Boost.Context's switch of stacks into a static library, so that who links it needs no Boost.

find_path(TEGULA_CONTEXT_INCLUDE boost/context/detail/fcontext.hpp DOC "The folder of Boost's headers")
find_library(TEGULA_CONTEXT_ARCHIVE libboost_context.a DOC "Boost.Context as a static library")
mark_as_advanced(TEGULA_CONTEXT_INCLUDE TEGULA_CONTEXT_ARCHIVE)
if(NOT TEGULA_CONTEXT_INCLUDE OR NOT TEGULA_CONTEXT_ARCHIVE)
  message(FATAL_ERROR "The runtime needs Boost.Context as a static library: apt-get install libboost-context-dev, or say "
                      "-DTEGULA_CONTEXT_INCLUDE=<folder of boost/> -DTEGULA_CONTEXT_ARCHIVE=<libboost_context.a>")
endif()

function(tegula_embed_context target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/boost_context)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${CMAKE_AR} x ${TEGULA_CONTEXT_ARCHIVE} WORKING_DIRECTORY ${folder} RESULT_VARIABLE status)
  # The functions that make a stack and switch to it: assembly, which fits shared libraries, too.
  file(GLOB objects ${folder}/*fcontext*.o ${folder}/make_*.o ${folder}/jump_*.o)
  if(NOT status EQUAL 0 OR NOT objects)
    message(FATAL_ERROR "${TEGULA_CONTEXT_ARCHIVE} has no make_*.o and jump_*.o: say -DTEGULA_CONTEXT_ARCHIVE=<libboost_context.a>")
  endif()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${objects})
  target_include_directories(${target} SYSTEM PRIVATE ${TEGULA_CONTEXT_INCLUDE})
endfunction()
