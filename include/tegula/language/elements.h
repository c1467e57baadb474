// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types of tiles: bool, s8 to s64, u8 to u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, s4, u4, e2m1; and
// compile-time constants.
#pragma once

#ifdef __clang__
#pragma clang system_header // = delete("why") is C++26
#define TEGULA_REFUSED(why) = delete (why)
#else
#define TEGULA_REFUSED(why) = delete
#endif
// The same in place of a body: Clang reports a call of a deleted function twice if its template arguments are written
// out and do not depend on anything. The function has a result, so that no further error follows.
#define TEGULA_REFUSED_IF(condition, why, ...)                                                                         \
  {                                                                                                                    \
    constexpr bool is_right = !(condition);                                                                            \
    static_assert(is_right, why);                                                                                      \
    return detail::some<__VA_ARGS__>();                                                                                \
  }

namespace tegula {

using s8 = signed char;
using u8 = unsigned char;
using s16 = short;
using u16 = unsigned short;
using s32 = int;
using u32 = unsigned int;
using s64 = __INT64_TYPE__;
using u64 = __UINT64_TYPE__;
using f32 = float;
using f64 = double;

/// IEEE half precision: 1 sign, 5 exponent and 10 fraction bits. As a C++ scalar it computes in float; a tile of f16
/// rounds every operation once, to nearest even.
struct f16 {
  _Float16 bits;
  f16() = default;
  constexpr f16(float value) : bits(static_cast<_Float16>(value)) {}
  constexpr operator float() const { return static_cast<float>(bits); }
};

/// The upper half of a float: 1 sign, 8 exponent and 7 fraction bits. It computes as f16 does.
struct bf16 {
  __bf16 bits;
  bf16() = default;
  constexpr bf16(float value) : bits(static_cast<__bf16>(value)) {}
  constexpr operator float() const { return static_cast<float>(bits); }
};

/// An 8-bit float: 1 sign, 4 exponent and 3 fraction bits, no infinity. Tiles of it can be loaded, stored, converted
/// (tg::astype) and multiplied (tg::dot, tg::wgmma, tg::mma); they have no arithmetic, and no scalars.
struct e4m3 {
  u8 bits;
};

/// An 8-bit float: 1 sign, 5 exponent and 2 fraction bits, the upper half of an f16. Its operations are those of e4m3.
struct e5m2 {
  u8 bits;
};

/// A power of two, 2^-127 to 2^127, or NaN: 8 exponent bits, no sign, no zero (the scale of OCP's microscaling
/// formats). Tiles of it can be loaded, stored and converted (tg::astype); they have no arithmetic, and no scalars.
struct e8m0 {
  u8 bits;
};

/// 4-bit elements: integers, -8 to 7 and 0 to 15, and floats of 1 sign, 2 exponent and 1 fraction bit: 0, 1/2, 1, 3/2,
/// 2, 3, 4, 6 and their negatives (OCP's E2M1). Their operations are those of e8m0.
///
/// An array packs two of them in a byte: neighbours along its last dimension, the even index in the lower half. The
/// last dimension has stride 1 and every row starts at a byte: other strides are even, and a row of odd length ends
/// with half a byte of padding. Windows start at even indices of the last dimension and end at even ones, or at the
/// array's end. Along the last dimension there is no selecting of single elements, no gather, scatter or atomic update,
/// and it must stay the last. Loads and stores move bytes: for 16 and more elements of a row, aligned to 8 bytes, they
/// cost half of those of s8. A conversion to another type takes two to four instructions per element.
///   const auto weights = tg::astype<tg::bf16>(w[tg::all]) * scales[tg::all][tg::all, tg::newaxis];
struct s4 {
  u8 bits;
};
struct u4 {
  u8 bits;
};
struct e2m1 {
  u8 bits;
};

inline constexpr float inf = __builtin_inff();
inline constexpr float nan = __builtin_nanf("");

/// An integer constant as a value, which static_for passes to its body. It converts to the integer in a template
/// argument.
template <s64 Value> struct constant {
  constexpr operator s64() const { return Value; }
};

namespace detail {
template <class V> inline constexpr bool is_constant = false;
template <s64 V> inline constexpr bool is_constant<constant<V>> = true;

template <class A, class... B> inline constexpr bool one_of = (__is_same(A, B) || ...);

template <class E> inline constexpr bool is_float8 = one_of<E, e4m3, e5m2>;
// Element types without arithmetic.
template <class E> inline constexpr bool is_stored = is_float8<E> || one_of<E, e8m0, s4, u4, e2m1>;
// Element types of which two are packed to a byte.
template <class E> inline constexpr bool is_packed = one_of<E, s4, u4, e2m1>;
template <class E>
inline constexpr bool is_element =
    one_of<E, bool, s8, s16, s32, s64, u8, u16, u32, u64, f16, bf16, f32, f64> || is_stored<E>;

template <class E> inline constexpr bool is_floating = __is_floating_point(E) || one_of<E, f16, bf16>;
template <class E> inline constexpr bool is_integer = __is_integral(E) && !__is_same(E, bool);
template <class E> inline constexpr bool is_bool = __is_same(E, bool);
template <class E> inline constexpr bool is_number = !is_bool<E>;
template <class E> inline constexpr bool is_integer_or_bool = __is_integral(E);
} // namespace detail

/// A C++ number or bool: a tile of rank 0, a constant, or a run-time argument of a kernel.
template <class V>
concept scalar = __is_arithmetic(V) || detail::one_of<V, f16, bf16> || detail::is_constant<V>;

} // namespace tegula
