// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of one type as those of another one, of tiles and scalars.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Converts elements. To a float: rounds to nearest even; what is too great is infinite, or of 8 bits the largest
/// finite number. NaN becomes 6 of e2m1, which has none. To e8m0: to the nearest power of two, halfway to the one of
/// even bits; 2^-127 and 2^127 stand for what is beyond them, 2^-127 for zero, too, and numbers below zero become NaN.
/// From a float to an integer: truncates; what does not fit becomes the nearest that does, NaN becomes 0. Between
/// integers: wraps. To bool: x != 0. From bool: 0 or 1.
///   const auto wide = tg::astype<float>(x[tg::all]);
/// Cost: elementwise and fused, an instruction or two for each element; floats of 8 bits two elements at a time from
/// sm_89 on (PTX ISA, cvt), and by arithmetic before.
template <class To, detail::operand V> auto astype(const V &) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(detail::is_element<To>, TEGULA_ELEMENTS);
  static_assert(!detail::is_stored<To> || !scalar<V>, TEGULA_NO_STORED_SCALAR);
  return detail::some<detail::tile_t<To, detail::shape_of<V>>>();
}

/// Converts floats to f16, bf16 or floats of 8 bits, rounding up or down at random (stochastic rounding): to one of the
/// two numbers between which x lies, so that with random bits the result is x in the mean. `bits`, an unsigned integer
/// of 32 bits for each element, decides: x is rounded away from zero where the part that is cut off and that many lower
/// bits of `bits` have a carry (13 bits for f16, 16 for bf16, 23 less their fraction for those of 8 bits; 24 of the
/// part where the result is subnormal, bf16 apart). What the type holds stays; beyond its largest number, f16 and bf16
/// become infinite, and 8 bits the largest.
///   w[tg::all] = tg::astype<tg::bf16>(sum, tg::randint(seed, tg::iota<int, 512>()));
/// Cost: fused, about 5 instructions for each element of bf16, 15 for the others, beside those that make the bits.
template <class To, detail::operand V, detail::operand Bits> auto astype(const V &, const Bits &) {
  static_assert(detail::values<V, Bits>, TEGULA_A_PLACE);
  static_assert(detail::one_of<To, f16, bf16> || detail::is_float8<To>,
                "stochastic rounding is to f16, bf16 and floats of 8 bits");
  static_assert(__is_same(detail::element_t<V>, float), "stochastic rounding is of float");
  static_assert(__is_same(detail::element_t<Bits>, u32), "stochastic rounding takes random bits of 32-bit unsigned "
                                                         "integers, such as tg::randint(seed, offsets)");
  using words = detail::tile_t<u32, detail::shape_of<V>>;
  using bits = detail::tile_t<u32, detail::shape_of<Bits>>;
  static_assert(!detail::is_stored<To> || !scalar<V> || !scalar<Bits>, TEGULA_NO_STORED_SCALAR);
  return detail::some<detail::tile_t<To, detail::together<words, bits>::shape>>();
}

/// The bits of elements, as elements of another type of the same width: bitcast<tg::u32>(x) of float. Bools have no
/// bits.
/// Cost: none.
template <class To, detail::operand V> auto bitcast(const V &) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(detail::is_element<To>, TEGULA_ELEMENTS);
  static_assert(!detail::is_bool<To> && !detail::is_bool<detail::element_t<V>>,
                "bools have no bits: convert with tg::astype<...>(x)");
  static_assert(sizeof(To) == sizeof(detail::element_t<V>) &&
                    detail::is_packed<To> == detail::is_packed<detail::element_t<V>>,
                "bitcast keeps the width of elements: tg::bitcast<tg::u32>(x) takes float, int or u32");
  static_assert(!detail::is_stored<To> || !scalar<V>, TEGULA_NO_STORED_SCALAR);
  return detail::some<detail::tile_t<To, detail::shape_of<V>>>();
}

} // namespace tegula
