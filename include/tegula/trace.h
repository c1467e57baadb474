// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the threads of a launch note when they do what: kernels write it, on GPU and CPU, and the runtime reads it.

#ifndef TEGULA_TRACE_H
#define TEGULA_TRACE_H

#include <cstdint>

namespace tegula::trace {

/// A thread has a row of words of 64 bits. Where its warps note events, too, the rows of its four warps follow: of
/// their headers the count alone is used.
inline constexpr std::int64_t rows_with_warps = 1 + 4;

/// The words that a row begins with. A clock counts cycles of the multiprocessor; a time,
/// nanoseconds of the GPU. On the CPU both are nanoseconds.
enum word : std::int64_t {
  count,          ///< Of events, also of those that there was no room for.
  multiprocessor, ///< Where the thread ran.
  begin_time,
  begin_clock, ///< Both were read together.
  end_time,
  end_clock,
  words = 8
};
/// Of an event: twice the number of the scope, and 1 more where it ends; and the clock.
inline constexpr std::int64_t words_of_event = 2;

} // namespace tegula::trace

#endif // TEGULA_TRACE_H
