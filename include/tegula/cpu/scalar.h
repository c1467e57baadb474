// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of elementwise operations, on scalars: the GPU is tested against them, and CPU kernels call them.
// A function has the name of its op in the tile IR. This header has arithmetic, logic, comparisons and casts; bits.h,
// rounding.h and functions.h have the others. The rules:
//   * Integers wrap. / and % truncate; division by zero gives 0, and so does its remainder.
//   * f32 and f64 are IEEE; each operation rounds. f16 and bf16 compute in f32 and round once per operation. 8-bit
//     floats, e8m0 and 4-bit elements have only casts and where.
//   * bool has bitwise and logical operations, comparisons, where and casts, but no arithmetic.
// The header must be compiled without -ffast-math, and is correct under every other option: where the compiler would
// contract a product into an FMA, mul prevents it.

#ifndef TEGULA_CPU_SCALAR_H
#define TEGULA_CPU_SCALAR_H

#include "tegula/packed.h"

#include <cmath>
#include <limits>

#ifdef __FAST_MATH__
#error "Tegula's CPU kernels need IEEE arithmetic: compile them without -ffast-math"
#endif

namespace tegula::cpu {

namespace detail {

template <class T> inline constexpr bool is_float8 = std::is_same_v<T, e4m3> || std::is_same_v<T, e5m2>;
/// Types without arithmetic.
template <class T> inline constexpr bool is_stored = is_float8<T> || std::is_same_v<T, e8m0> || std::is_same_v<T, e2m1>;
/// 4-bit integers: they have only casts and where.
template <class T> inline constexpr bool is_integer4 = std::is_same_v<T, s4> || std::is_same_v<T, u4>;
template <class T> inline constexpr bool is_narrow = std::is_same_v<T, f16> || std::is_same_v<T, bf16> || is_stored<T>;
template <class T> inline constexpr bool is_float = std::is_floating_point_v<T> || is_narrow<T>;
template <class T> inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T> inline constexpr bool is_number = (is_float<T> && !is_stored<T>) || is_integer<T>;
template <class T> inline constexpr int width = static_cast<int>(sizeof(T)) * 8;

/// The type that T computes in. Integers: unsigned, so that they wrap, and at least as wide as int, so that nothing is
/// promoted to signed.
template <class T, class = void> struct compute {
  using type = T;
};
template <class T> struct compute<T, std::enable_if_t<is_narrow<T>>> {
  using type = float;
};
template <class T> struct compute<T, std::enable_if_t<is_integer<T>>> {
  using type = std::conditional_t<sizeof(T) < 4, std::uint32_t, std::make_unsigned_t<T>>;
};
template <class T> using compute_t = typename compute<T>::type;

template <class T> compute_t<T> up(T a) noexcept { return static_cast<compute_t<T>>(a); }
template <class T> T down(compute_t<T> a) noexcept { return static_cast<T>(a); }

/// A rounded product: the compiler must not contract it with a following operation.
template <class T> T product(T a, T b) noexcept {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_assoc_barrier(a * b);
#elif defined(__GNUC__) && !defined(__clang__) && (defined(__FMA__) || defined(__aarch64__))
#error "this g++ fuses products and sums: use g++ 12 or newer, clang++, or compile for a processor without FMA"
#endif
  return a * b;
}

template <class T> using require_number = std::enable_if_t<is_number<T>, int>;
template <class T> using require_integer = std::enable_if_t<is_integer<T>, int>;
template <class T> using require_integral = std::enable_if_t<std::is_integral_v<T>, int>;
template <class T> using require_float = std::enable_if_t<is_float<T> && !is_stored<T>, int>;

} // namespace detail

// ----- arithmetic -----

template <class T, detail::require_number<T> = 0> T add(T a, T b) noexcept {
  return detail::down<T>(detail::up(a) + detail::up(b));
}
template <class T, detail::require_number<T> = 0> T sub(T a, T b) noexcept {
  return detail::down<T>(detail::up(a) - detail::up(b));
}
template <class T, detail::require_number<T> = 0> T mul(T a, T b) noexcept {
  return detail::down<T>(detail::product(detail::up(a), detail::up(b)));
}
template <class T, detail::require_number<T> = 0> T square(T a) noexcept { return mul(a, a); }

/// -x: floats flip the sign, also of zeros and NaN.
template <class T, detail::require_number<T> = 0> T neg(T a) noexcept {
  if constexpr (detail::is_integer<T>)
    return sub(T{0}, a);
  else
    return detail::down<T>(-detail::up(a));
}

/// x / y. Integers truncate; division by zero gives 0; the least value divided by -1 wraps to itself.
template <class T, detail::require_number<T> = 0> T div(T a, T b) noexcept {
  if constexpr (detail::is_integer<T>) {
    if (b == 0)
      return 0;
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return neg(a);
    return static_cast<T>(a / b);
  } else
    return detail::down<T>(detail::up(a) / detail::up(b));
}

/// x % y, with the sign of x; 0 if y is 0.
template <class T, detail::require_integer<T> = 0> T rem(T a, T b) noexcept {
  if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1)))
    return 0;
  return static_cast<T>(a % b);
}

/// |x|: floats clear the sign; the least signed integer is unchanged.
template <class T, detail::require_number<T> = 0> T abs(T a) noexcept {
  if constexpr (detail::is_integer<T>)
    return a < 0 ? neg(a) : a;
  else
    return detail::down<T>(std::fabs(detail::up(a)));
}

/// The greater; NaN if either is; -0 < +0.
template <class T, detail::require_number<T> = 0> T maximum(T a, T b) noexcept {
  if constexpr (detail::is_float<T>) {
    const auto x = detail::up(a), y = detail::up(b);
    if (std::isnan(x) || std::isnan(y))
      return detail::down<T>(std::numeric_limits<detail::compute_t<T>>::quiet_NaN());
    if (x == y)
      return std::signbit(x) ? b : a;
    return x > y ? a : b;
  } else
    return a > b ? a : b;
}

/// The less; NaN if either is; -0 < +0.
template <class T, detail::require_number<T> = 0> T minimum(T a, T b) noexcept {
  if constexpr (detail::is_float<T>) {
    const auto x = detail::up(a), y = detail::up(b);
    if (std::isnan(x) || std::isnan(y))
      return detail::down<T>(std::numeric_limits<detail::compute_t<T>>::quiet_NaN());
    if (x == y)
      return std::signbit(x) ? a : b;
    return x < y ? a : b;
  } else
    return a < b ? a : b;
}

// ----- bits and logic -----

template <class T, detail::require_integral<T> = 0> T bit_and(T a, T b) noexcept { return static_cast<T>(a & b); }
template <class T, detail::require_integral<T> = 0> T bit_or(T a, T b) noexcept { return static_cast<T>(a | b); }
template <class T, detail::require_integral<T> = 0> T bit_xor(T a, T b) noexcept { return static_cast<T>(a ^ b); }
template <class T, detail::require_integer<T> = 0> T bit_not(T a) noexcept { return static_cast<T>(~a); }
inline bool bit_not(bool a) noexcept { return !a; }
inline bool logical_and(bool a, bool b) noexcept { return a && b; }
inline bool logical_or(bool a, bool b) noexcept { return a || b; }
inline bool logical_not(bool a) noexcept { return !a; }

/// x << n. The amount is interpreted as unsigned; the width or more gives 0.
template <class T, detail::require_integer<T> = 0> T shift_left(T a, T amount) noexcept {
  const auto n = static_cast<std::make_unsigned_t<T>>(amount);
  return n >= detail::width<T> ? T{0} : static_cast<T>(detail::up(a) << n);
}

/// x >> n, arithmetic for signed types. The amount is interpreted as unsigned; the width or more gives 0, or -1 for a
/// negative value.
template <class T, detail::require_integer<T> = 0> T shift_right(T a, T amount) noexcept {
  const auto n = static_cast<std::make_unsigned_t<T>>(amount);
  if (n >= detail::width<T>)
    return a < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> n);
}

// ----- comparisons: IEEE for floats (NaN differs from everything, zeros are equal) -----

template <class T> bool eq(T a, T b) noexcept { return a == b; }
template <class T> bool ne(T a, T b) noexcept { return a != b; }
template <class T> bool lt(T a, T b) noexcept { return a < b; }
template <class T> bool le(T a, T b) noexcept { return a <= b; }
template <class T> bool gt(T a, T b) noexcept { return a > b; }
template <class T> bool ge(T a, T b) noexcept { return a >= b; }

/// a if the condition holds, else b.
template <class T> T where(bool condition, T a, T b) noexcept { return condition ? a : b; }

/// The same for packed elements in memory, one or both.
template <class A, class T> T where(bool condition, packed_reference<A> a, T b) noexcept {
  return condition ? static_cast<T>(a) : b;
}
template <class B, class T> T where(bool condition, T a, packed_reference<B> b) noexcept {
  return condition ? a : static_cast<T>(b);
}
template <class A, class B>
std::remove_const_t<A> where(bool condition, packed_reference<A> a, packed_reference<B> b) noexcept {
  return where(condition, a, static_cast<std::remove_const_t<B>>(b));
}
template <class A> std::remove_const_t<A> where(bool condition, packed_reference<A> a, packed_reference<A> b) noexcept {
  return where(condition, a, static_cast<std::remove_const_t<A>>(b));
}

// ----- casts -----

/// To bool: not equal to zero (NaN is). Integers wrap. Floats to integers truncate and saturate, NaN gives 0. To
/// floats: one rounding, to nearest even; a value too large becomes infinity, or for types without arithmetic the
/// largest number.
template <class To, class From> To cast(From a) noexcept {
  if constexpr (std::is_same_v<To, From>)
    return a;
  else if constexpr (detail::is_integer4<From>)
    return cast<To>(static_cast<int>(a));
  else if constexpr (detail::is_narrow<From>)
    return cast<To>(static_cast<float>(a));
  else if constexpr (std::is_same_v<To, bool>)
    return ne(a, From(0));
  else if constexpr (detail::is_integer<To> && detail::is_float<From>) {
    if (std::isnan(a))
      return 0;
    // 2^width and the like are powers of two, which every float type holds: the comparisons are exact.
    const From limit = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    if (a >= limit)
      return std::numeric_limits<To>::max();
    if (a <= (std::is_signed_v<To> ? -limit : From{0}))
      return std::numeric_limits<To>::min();
    return static_cast<To>(a);
  } else
    return static_cast<To>(a); // integers wrap; narrow floats and integers of 4 bits convert from any number
}

template <class To, class T> To cast(packed_reference<T> a) noexcept {
  return cast<To>(static_cast<std::remove_const_t<T>>(a));
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_SCALAR_H
