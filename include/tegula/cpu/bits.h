// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of elementwise bit operations on integers, on scalars; and reinterpreting bits as another type.

#ifndef TEGULA_CPU_BITS_H
#define TEGULA_CPU_BITS_H

#include "tegula/cpu/scalar.h"

namespace tegula::cpu {

/// The number of zero bits above the highest 1; the width for 0.
template <class T, detail::require_integer<T> = 0> T clz(T a) noexcept {
  const auto bits = static_cast<std::make_unsigned_t<T>>(a);
  return static_cast<T>(bits == 0 ? detail::width<T> : __builtin_clzll(bits) - (64 - detail::width<T>));
}

/// The number of zero bits below the lowest 1; the width for 0.
template <class T, detail::require_integer<T> = 0> T ctz(T a) noexcept {
  const auto bits = static_cast<std::make_unsigned_t<T>>(a);
  return static_cast<T>(bits == 0 ? detail::width<T> : __builtin_ctzll(bits));
}

/// The number of bits that are 1.
template <class T, detail::require_integer<T> = 0> T popcount(T a) noexcept {
  return static_cast<T>(__builtin_popcountll(static_cast<std::make_unsigned_t<T>>(a)));
}

/// The bits in reverse order: neighbours are exchanged, then pairs, and so on.
template <class T, detail::require_integer<T> = 0> T bit_reverse(T a) noexcept {
  auto bits = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(a));
  constexpr std::uint64_t lower[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                     0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  for (int i = 0; i < 6 && 1 << i < detail::width<T>; ++i)
    bits = ((bits & lower[i]) << (1 << i)) | ((bits >> (1 << i)) & lower[i]);
  return static_cast<T>(bits);
}

/// The upper half of the double-width product.
template <class T, detail::require_integer<T> = 0> T mul_hi(T a, T b) noexcept {
  if constexpr (sizeof(T) < 8) {
    using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<wide>(a) * static_cast<wide>(b)) >> detail::width<T>);
  } else {
    __extension__ using wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<wide>(a) * static_cast<wide>(b)) >> 64);
  }
}

/// x + y, saturated to the range of the type.
template <class T, detail::require_integer<T> = 0> T add_sat(T a, T b) noexcept {
  using limits = std::numeric_limits<T>;
  if (b > 0 && a > static_cast<T>(limits::max() - b))
    return limits::max();
  if (b < 0 && a < static_cast<T>(limits::min() - b))
    return limits::min();
  return add(a, b);
}

/// x - y, saturated to the range of the type.
template <class T, detail::require_integer<T> = 0> T sub_sat(T a, T b) noexcept {
  using limits = std::numeric_limits<T>;
  if (b > 0 && a < static_cast<T>(limits::min() + b))
    return limits::min();
  if (b < 0 && a > static_cast<T>(limits::max() + b))
    return limits::max();
  return sub(a, b);
}

/// Reinterprets the bits of a number as another type of the same width.
template <class To, class From> To bitcast(From a) noexcept { return tegula::detail::bit_cast<To>(a); }
template <class To, class T> To bitcast(packed_reference<T> a) noexcept {
  return bitcast<To>(static_cast<std::remove_const_t<T>>(a));
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_BITS_H
