// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What copies of the explicit level make of elements outside an array, and of lines in L2.
#pragma once

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// What a copy brings of elements outside the array.
enum class oob_fill {
  zeros,
  /// NaN, of f16, bf16, float and double: what a product or a maximum makes of it shows.
  nan,
  /// Anything.
  undefined,
  /// There are none. A run of elements of one row, along the array's last dimension, is then copied as it lies in
  /// memory (PTX ISA, cp.async.bulk), by one instruction, however long it is and whatever the array: of any rank and
  /// size. It begins at a multiple of 16 bytes of the row, and rows begin at such multiples. On the CPU, a window that
  /// is not inside is an error.
  promise_in_bounds
};
/// When the L2 cache gives up the lines that a copy moves, among others (PTX ISA, createpolicy): those that nobody
/// reads again first; those that many blocks read last.
enum class eviction { normal, first, last };
inline constexpr eviction evict_normal = eviction::normal, evict_first = eviction::first, evict_last = eviction::last;

} // namespace tegula
