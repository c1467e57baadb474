// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of 4 bits between memory, where two are packed to a byte, and registers, where each is one: of s4 and u4 the
// number, of others the bits.
#pragma once

#include "lower/ScalarBuilder.h"

namespace tegula::lower {

/// Where an element of an array is: `offset` elements behind `base`. Of packed elements, the byte that holds it.
Value elementAt(ScalarBuilder &b, Value base, Value offset, Type element);

/// The elements in a byte, or in a vector of bytes, in order.
Value unpacked(ScalarBuilder &b, Value bytes, Type element);
/// Two neighbouring elements of 4 or 8 bits, in the byte of this number of two words, or from it on.
struct NarrowPair {
  Value lower, upper, byte;
};
/// Both as f16 or bf16: an i32, the first one below.
Value pairAs(ScalarBuilder &b, const NarrowPair &pair, Type element, Type to);
/// The bytes of a vector of elements, an even number.
Value packed(ScalarBuilder &b, Value elements);

/// The element in half of a byte; `shift`, of 8 bits, is 0 or 4.
Value halfOf(ScalarBuilder &b, Value byte, Value shift, Type element);
/// Stores one element to half of a byte of global memory, where a predicate holds if there is one, and leaves the other
/// half as it is, also if another thread stores to that: clears bits and sets bits, each atomically. Memory is
/// accessed in words of 32 bits.
void storeHalf(ScalarBuilder &b, Value pointer, Value shift, Value element, Value predicate);

} // namespace tegula::lower
