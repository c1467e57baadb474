# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target docs: the reference of the language and of the host library, which Doxygen makes of the public headers in <build>/docs.
# It is no part of all. Without Doxygen it says what to install.

find_program(TEGULA_DOXYGEN doxygen DOC "Doxygen, 1.9.4 or newer")
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT TEGULA_DOXYGEN OR NOT Python3_FOUND)
  add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E echo "The reference needs Doxygen and Python: apt-get install --no-install-recommends doxygen python3;"
                                     "then configure again: cmake ${PROJECT_BINARY_DIR}"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
  return()
endif()

file(GLOB language CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tegula/language/*.h)
list(FILTER language EXCLUDE REGEX "/version\\.h$") # It declares nothing for users.
file(GLOB inputs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.md ${PROJECT_SOURCE_DIR}/samples/*.md ${PROJECT_SOURCE_DIR}/samples/*/*.md
     ${PROJECT_SOURCE_DIR}/cmake/*.md ${PROJECT_SOURCE_DIR}/compiler/*.md ${PROJECT_SOURCE_DIR}/include/tegula/*.md)
if(TEGULA_BUILD_COMPILER)
  set(errors ${PROJECT_BINARY_DIR}/docs/errors.md)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
  add_custom_command(OUTPUT ${errors} COMMAND ${CMAKE_COMMAND} -E env $<TARGET_FILE:tegulac> --explain page > ${errors}
                     DEPENDS tegulac COMMENT "Writing the page of errors" VERBATIM)
  list(APPEND inputs ${errors})
  add_custom_target(tegula-errors-page ALL DEPENDS ${errors})
endif()
foreach(header tegula array runtime types)
  list(APPEND inputs ${PROJECT_SOURCE_DIR}/include/tegula/${header}.h)
endforeach()
list(APPEND inputs ${language})
list(JOIN inputs "\" \"" TEGULA_REFERENCE_INPUT)

set(TEGULA_DOXYFILE ${PROJECT_BINARY_DIR}/cmake/Doxyfile)
configure_file(${PROJECT_SOURCE_DIR}/cmake/Doxyfile.in ${TEGULA_DOXYFILE} @ONLY)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/docs/index.html
  COMMAND ${TEGULA_DOXYGEN} ${TEGULA_DOXYFILE}
  DEPENDS ${inputs} ${TEGULA_DOXYFILE} ${PROJECT_SOURCE_DIR}/cmake/reference.py
  COMMENT "Generating the language's reference"
  VERBATIM)
add_custom_target(docs DEPENDS ${PROJECT_BINARY_DIR}/docs/index.html)
