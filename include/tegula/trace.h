// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format of the timeline of a launch: kernels write it, on GPU and CPU, and the runtime reads it.

#ifndef TEGULA_TRACE_H
#define TEGULA_TRACE_H

#include <cstdint>

namespace tegula::trace {

/// A warpgroup has one row of 64-bit words. If its warps record events, too, the rows of its four warps follow, of
/// whose headers only the count is used.
inline constexpr std::int64_t rows_with_warps = 1 + 4;

/// The words of a row's header. A clock counts SM cycles; a time is in nanoseconds of the GPU. On the CPU both are in
/// nanoseconds.
enum word : std::int64_t {
  count,          ///< The number of events, including those that did not fit.
  multiprocessor, ///< The SM that the warpgroup ran on.
  begin_time,
  begin_clock, ///< Both were read together.
  end_time,
  end_clock,
  words = 8
};
/// The words of an event: twice the number of the scope, plus 1 at its end; and the clock.
inline constexpr std::int64_t words_of_event = 2;

} // namespace tegula::trace

#endif // TEGULA_TRACE_H
