// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modes of the explicit level's copies: elements outside the array, and L2 eviction.
#pragma once

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The value that a copy gives elements outside the array.
enum class oob_fill {
  zeros,
  /// NaN, for f16, bf16, float and double: it makes accidental uses visible in products and maxima.
  nan,
  /// Unspecified.
  undefined,
  /// The window has no elements outside the array. A contiguous run of one row, along the array's last dimension, is
  /// then copied by a single bulk copy (PTX ISA, cp.async.bulk), whatever its length and whatever the array's rank and
  /// size. The run starts at a multiple of 16 bytes of the row, and rows start at such multiples. On the CPU, a window
  /// that is not in bounds is an error.
  promise_in_bounds
};
/// The L2 eviction priority of the lines that a copy moves (PTX ISA, createpolicy): first for data that nobody reads
/// again, last for data that many CTAs read.
enum class eviction { normal, first, last };
inline constexpr eviction evict_normal = eviction::normal, evict_first = eviction::first, evict_last = eviction::last;

} // namespace tegula
