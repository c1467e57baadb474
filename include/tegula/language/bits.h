// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bit operations on integers of all widths, signed and unsigned: elementwise on tiles, and on scalars. Results have the
// type of the operands. Bitwise operators are in operators.h, tg::bitcast in conversions.h.
//
// Cost: elementwise and fused: in registers, without memory traffic. An instruction or two per element; ctz, add_sat
// and sub_sat three.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class A, class B = A> constexpr auto &integer_function() {
  static_assert(values<A, B>, TEGULA_A_PLACE);
  constexpr bool are_integers = is_integer<common_element_t<A, B>>;
  static_assert(are_integers, "the function takes integers only: convert with tg::astype<...>(x), or take the bits of "
                              "a float, tg::bitcast<tg::u32>(x)");
  if constexpr (are_integers)
    return some<together_t<A, B>>();
  else
    return some<A>();
}
} // namespace detail

#define TEGULA_OF_BITS(f)                                                                                              \
  template <detail::operand V> auto f(const V &) { return detail::integer_function<V>(); }
#define TEGULA_OF_TWO_INTEGERS(f)                                                                                      \
  template <detail::operand A, detail::operand B> auto f(const A &, const B &) {                                       \
    return detail::integer_function<A, B>();                                                                           \
  }

/// clz(x) counts the zero bits above the highest 1, ctz(x) those below the lowest 1; both give the width for 0.
TEGULA_OF_BITS(clz)
TEGULA_OF_BITS(ctz)
/// The number of bits that are 1.
TEGULA_OF_BITS(popcount)
/// The bits in reverse order.
TEGULA_OF_BITS(bit_reverse)
/// The upper half of the double-width product; one instruction for 32 bits. x * y is the lower half.
TEGULA_OF_TWO_INTEGERS(mul_hi)
/// add_sat(x, y) and sub_sat(x, y) are saturating: a result out of range becomes the nearest value of the type.
TEGULA_OF_TWO_INTEGERS(add_sat)
TEGULA_OF_TWO_INTEGERS(sub_sat)

#undef TEGULA_OF_BITS
#undef TEGULA_OF_TWO_INTEGERS

} // namespace tegula
