// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support code around the programs of a launch.

#ifndef TEGULA_CPU_PROGRAMS_H
#define TEGULA_CPU_PROGRAMS_H

#include "tegula/cpu/elements.h"
#include "tegula/cpu/table.h"

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace tegula::cpu {

/// Whether all arrays are without elements: programs that only store to these are all alike, so that running one of
/// them is enough.
template <class... Place> bool are_empty(const Place &...places) noexcept {
  return ((size_of(places.dims()) == 0) && ...);
}

namespace detail {
[[noreturn]] inline void fail_for_memory(const site &where, const char *entry) {
  fail(where, std::string("the programs of ") + entry +
                  " need more memory on the CPU than there is: a program holds as a whole " +
                  "each tile that it indexes several times; give it smaller blocks");
}
} // namespace detail

/// Called in a handler of any exception of a program: a lack of memory becomes an error that names the entry; other
/// exceptions are rethrown.
[[noreturn]] inline void rethrow(const site &where, const char *entry) {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    detail::fail_for_memory(where, entry);
  } catch (const std::length_error &) { // More than any machine has.
    detail::fail_for_memory(where, entry);
  } catch (...) {
    throw;
  }
}

/// In a handler around a program: adds which program it was to an access out of bounds.
[[noreturn]] inline void rethrow(const out_of_bounds &access, const char *entry,
                                 const std::vector<std::int64_t> &program) {
  throw error(std::string(access.what()) + " (" + describe_program(program) + " of " + entry + ")");
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_PROGRAMS_H
