// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What surrounds the programs of a launch.

#ifndef TEGULA_CPU_PROGRAMS_H
#define TEGULA_CPU_PROGRAMS_H

#include "tegula/cpu/table.h"

#include <new>
#include <stdexcept>

namespace tegula::cpu {

/// Whether arrays have no elements: programs that do nothing but to store to these are all alike, and one of them is
/// enough.
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

/// In a handler of whatever programs throw: too little memory becomes an error that says whose it was; all else goes
/// on.
[[noreturn]] inline void rethrow(const site &where, const char *entry) {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    detail::fail_for_memory(where, entry);
  } catch (const std::length_error &) { // More than could ever be there.
    detail::fail_for_memory(where, entry);
  } catch (...) {
    throw;
  }
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_PROGRAMS_H
