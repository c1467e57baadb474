// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between element types, of tiles and scalars: astype, with stochastic rounding, too, and bitcast.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Converts elements.
///   * To a float: rounds to nearest even. A value too large becomes infinite, or for 8-bit floats and e2m1 the largest
///     finite number. NaN becomes 6 for e2m1, which has no NaN.
///   * To e8m0: the nearest power of two, a tie goes to even bits. Values below 2^-127 (also zero) and above 2^127
///     become these; negative values become NaN.
///   * From a float to an integer: truncates and saturates; NaN becomes 0.
///   * Between integers: wraps.
///   * To bool: x != 0. From bool: 0 or 1.
///
///   const auto wide = tg::astype<float>(x[tg::all]);
/// Cost: elementwise and fused, an instruction or two per element; 8-bit floats two elements at a time from sm_89 on
/// (PTX ISA, cvt), and by integer arithmetic before.
template <class To, detail::operand V> auto astype(const V &) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(detail::is_element<To>, TEGULA_ELEMENTS);
  static_assert(!detail::is_stored<To> || !scalar<V>, TEGULA_NO_STORED_SCALAR);
  return detail::some<detail::tile_t<To, detail::shape_of<V>>>();
}

/// Converts floats to f16, bf16 or 8-bit floats with stochastic rounding: to one of the two neighbours of x, chosen at
/// random so that the expected result is x. `bits` has a 32-bit unsigned integer per element. x is rounded away from
/// zero if the discarded fraction bits and as many low bits of `bits` add up with a carry (13 bits for f16, 16 for
/// bf16, 23 minus the fraction's bits for 8-bit floats; 24 where the result is subnormal, except for bf16).
/// Representable values are unchanged; beyond the largest number, f16 and bf16 become infinite, 8-bit floats the
/// largest.
///   w[tg::all] = tg::astype<tg::bf16>(sum, tg::randint(seed, tg::iota<int, 512>()));
/// Cost: fused, about 5 instructions per element for bf16, 15 for the others, in addition to those that generate the
/// bits.
template <class To, detail::operand V, detail::operand Bits> auto astype(const V &, const Bits &) {
  static_assert(detail::values<V, Bits>, TEGULA_A_PLACE);
  static_assert(detail::one_of<To, f16, bf16> || detail::is_float8<To>,
                "this conversion has no stochastic rounding: its target is f16, bf16 or an 8-bit float");
  static_assert(__is_same(detail::element_t<V>, float),
                "stochastic rounding takes elements of float: convert with tg::astype<float>(x)");
  static_assert(__is_same(detail::element_t<Bits>, u32),
                "stochastic rounding takes random bits as u32: generate them by tg::randint(seed, offsets)");
  using words = detail::tile_t<u32, detail::shape_of<V>>;
  using bits = detail::tile_t<u32, detail::shape_of<Bits>>;
  static_assert(!detail::is_stored<To> || !scalar<V> || !scalar<Bits>, TEGULA_NO_STORED_SCALAR);
  return detail::some<detail::tile_t<To, detail::common_shape<words, bits>()>>();
}

/// Reinterprets the bits of elements as another type of the same width: bitcast<tg::u32>(x) of float. Not for bools.
/// Cost: none.
template <class To, detail::operand V> auto bitcast(const V &) {
  static_assert(detail::values<V>, TEGULA_A_PLACE);
  static_assert(detail::is_element<To>, TEGULA_ELEMENTS);
  static_assert(!detail::is_bool<To> && !detail::is_bool<detail::element_t<V>>,
                "bitcast does not take bools: convert with tg::astype<...>(x)");
  static_assert(sizeof(To) == sizeof(detail::element_t<V>) &&
                    detail::is_packed<To> == detail::is_packed<detail::element_t<V>>,
                "bitcast cannot change the width of elements: tg::bitcast<tg::u32>(x) takes float, int or u32");
  static_assert(!detail::is_stored<To> || !scalar<V>, TEGULA_NO_STORED_SCALAR);
  return detail::some<detail::tile_t<To, detail::shape_of<V>>>();
}

} // namespace tegula
