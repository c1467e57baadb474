// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based random numbers: a function of a key (a seed) and of a counter, usually the index of an element. There
// is no state between calls, so results depend neither on block sizes nor on the device. The same key and counter give
// the same bits everywhere, and the same numbers from tg::rand and tg::random::uniform; those from tg::randn and
// tg::random::normal differ in the last places, as the mathematical functions that they use do. Counters are integers,
// a tile of any shape or a scalar; a tile should count through the whole array:
//   const auto n = tg::program_id(0) * 512 + tg::iota<tg::s64, 512>();
//   x[tg::all] = tg::where(tg::rand(seed, n) < keep, x[tg::all] / keep, 0);
// As in Triton, by Philox: tg::rand, tg::randn, tg::randint and their variants for four numbers. As in JAX, by Threefry
// and keys: tg::random::key, fold_in, split, bits, uniform, normal; keys and bits equal those of jax.random with
// jax_threefry_partitionable, where the counter is the index in the flattened array. Both generators are by Salmon,
// Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
#pragma once

#include "conversions.h"
#include "math.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Four values, tiles or scalars.
template <class X, class Y = X, class Z = X, class W = X> struct four {
  X x;
  Y y;
  Z z;
  W w;
};
/// Two values.
template <class X, class Y = X> struct two {
  X x;
  Y y;
};

namespace detail {
#define TEGULA_COUNTER "the counter is not an integer or a tile of integers: count by tg::iota<int, 64>()"
template <class V> inline constexpr bool counts = is_integer<element_t<V>>;

// The halves of a 64-bit counter; the upper half of a narrower one is 0.
template <class V> constexpr auto lower_word(const V &n) {
  static_assert(values<V>, TEGULA_A_PLACE);
  static_assert(counts<V>, TEGULA_COUNTER);
  return astype<u32>(n);
}
template <class V> constexpr auto upper_word(const V &n) {
  if constexpr (sizeof(element_t<V>) == 8)
    return astype<u32>(n >> 32);
  else
    return u32(0);
}

// 64-bit products of which both halves are used: one instruction each. Words are scalars until they are combined with
// tiles: each round has types of its own.
template <int Rounds, class X, class Y, class Z, class W>
constexpr auto philox(const X &x, const Y &y, const Z &z, const W &w, u32 first, u32 second) {
  if constexpr (Rounds == 0)
    return four<X, Y, Z, W>{x, y, z, w};
  else {
    const auto of_x = astype<u64>(x) * u64(0xd2511f53);
    const auto of_z = astype<u64>(z) * u64(0xcd9e8d57);
    return philox<Rounds - 1>(astype<u32>(of_z >> u64(32)) ^ y ^ first, astype<u32>(of_z),
                              astype<u32>(of_x >> u64(32)) ^ w ^ second, astype<u32>(of_x), first + 0x9e3779b9U,
                              second + 0xbb67ae85U);
  }
}

template <int Bits, class V> constexpr auto rotated(const V &x) { return (x << u32(Bits)) | (x >> u32(32 - Bits)); }

// The remaining ones of the 20 rounds; the key words rotate.
template <int Round, class X, class Y> constexpr auto threefry(const X &x, const Y &y, u32 a, u32 b, u32 c) {
  constexpr int rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  if constexpr (Round == 20)
    return two<X, Y>{x, y};
  else {
    const auto sum = x + y;
    const auto mixed = rotated<rotations[Round % 8]>(y) ^ sum;
    if constexpr (Round % 4 == 3)
      return threefry<Round + 1>(sum + b, mixed + (c + u32(Round / 4 + 1)), b, c, a);
    else
      return threefry<Round + 1>(sum, mixed, a, b, c);
  }
}

// Takes as many of the upper bits as the fraction has, and scales them to [0, 1): exact.
template <class T, class V> constexpr auto uniform_of(const V &bits) {
  if constexpr (__is_same(T, f16))
    return astype<f16>(astype<f16>(bits >> 21U) * f16(0x1p-11F));
  else if constexpr (__is_same(T, bf16))
    return astype<bf16>(astype<bf16>(bits >> 24U) * bf16(0x1p-8F));
  else
    return astype<float>(bits >> 8U) * 0x1p-24F;
}
template <class X, class Y> constexpr auto uniform_of_two(const X &x, const Y &y) {
  return (astype<f64>(x >> 5U) * 0x1p26 + astype<f64>(y >> 6U)) * 0x1p-53;
}

// Box-Muller: two normal variables from a uniform number in (0, 1], for the radius, and one in [0, 1), for the angle.
template <class R, class A> constexpr auto box_muller(const R &radius, const A &angle) {
  using E = element_t<R>;
  const auto r = sqrt(log(E(1) - radius) * E(-2)), turn = angle * E(6.28318530717958647692);
  return two<decltype(r * cos(turn))>{r * cos(turn), r * sin(turn)};
}
} // namespace detail

// ----- Philox: as in Triton -----

/// Philox4x32-10: 128 random bits for each counter of 4 words and key of 2, all of u32. Scalar words broadcast to
/// tiles.
/// Cost: elementwise and fused, about 45 instructions for the 4 words of each element.
template <detail::operand X, detail::operand Y, detail::operand Z, detail::operand W>
constexpr auto philox4x32(const X &x, const Y &y, const Z &z, const W &w, u32 key_x, u32 key_y) {
  static_assert(detail::values<X, Y, Z, W>, TEGULA_A_PLACE);
  static_assert(__is_same(detail::element_t<X>, u32) && __is_same(detail::element_t<Y>, u32) &&
                    __is_same(detail::element_t<Z>, u32) && __is_same(detail::element_t<W>, u32),
                "the words of a counter must be u32: convert with tg::astype<tg::u32>(x)");
  return detail::philox<10>(x, y, z, w, key_x, key_y);
}

/// Four times 32 random bits per offset: x, y, z and w of the result, tiles of u32.
/// Cost: that of philox4x32.
template <detail::operand V> constexpr auto randint4x(u64 seed, const V &offset) {
  return detail::philox<10>(detail::lower_word(offset), detail::upper_word(offset), 0U, 0U, static_cast<u32>(seed),
                            static_cast<u32>(seed >> 32));
}
#define TEGULA_A_SEED                                                                                                  \
  "the offset is missing: random numbers take a seed and an offset per number, tg::rand(seed, tg::iota<int, 512>())"
/// 32 random bits per offset, of u32.
/// Cost: that of philox4x32; randint4x gives four for hardly more.
template <detail::operand V> constexpr auto randint(u64 seed, const V &offset) { return randint4x(seed, offset).x; }
template <class V> void randint(const V &) TEGULA_REFUSED(TEGULA_A_SEED);

/// Uniform floats in [0, 1) per offset, multiples of 2^-24: rand(seed, offset), and four at a time, rand4x(seed,
/// offset).
/// Cost: that of philox4x32, and 3 instructions per number.
template <detail::operand V> constexpr auto rand(u64 seed, const V &offset) {
  return detail::uniform_of<float>(randint(seed, offset));
}
template <class V> void rand(const V &) TEGULA_REFUSED(TEGULA_A_SEED);
template <detail::operand V> constexpr auto rand4x(u64 seed, const V &offset) {
  const auto bits = randint4x(seed, offset);
  using U = decltype(detail::uniform_of<float>(bits.x));
  return four<U>{detail::uniform_of<float>(bits.x), detail::uniform_of<float>(bits.y),
                 detail::uniform_of<float>(bits.z), detail::uniform_of<float>(bits.w)};
}

/// Normally distributed floats per offset, mean 0 and variance 1 (Box-Muller): randn(seed, offset), and four at a time,
/// randn4x(seed, offset).
/// Cost: that of philox4x32, and log, sqrt, sin and cos for each two numbers, some 60 instructions; randn uses only one
/// of the two.
template <detail::operand V> constexpr auto randn4x(u64 seed, const V &offset) {
  const auto u = rand4x(seed, offset);
  const auto first = detail::box_muller(u.x, u.y), second = detail::box_muller(u.z, u.w);
  return four<decltype(first.x)>{first.x, first.y, second.x, second.y};
}
template <detail::operand V> constexpr auto randn(u64 seed, const V &offset) {
  const auto bits = randint4x(seed, offset);
  return detail::box_muller(detail::uniform_of<float>(bits.x), detail::uniform_of<float>(bits.y)).x;
}
template <class V> void randn(const V &) TEGULA_REFUSED(TEGULA_A_SEED);

/// Threefry2x32-20: 64 random bits for each counter of 2 words and key of 2, all of u32.
/// Cost: elementwise and fused, about 70 instructions for the 2 words of each element.
template <detail::operand X, detail::operand Y>
constexpr auto threefry2x32(const X &x, const Y &y, u32 key_x, u32 key_y) {
  static_assert(detail::values<X, Y>, TEGULA_A_PLACE);
  static_assert(__is_same(detail::element_t<X>, u32) && __is_same(detail::element_t<Y>, u32),
                "the words of a counter must be u32: convert with tg::astype<tg::u32>(x)");
  return detail::threefry<0>(x + key_x, y + key_y, key_x, key_y, key_x ^ key_y ^ 0x1bd11bdaU);
}

// ----- Threefry and keys: as in JAX -----

namespace random {

/// The key of a stream of random numbers, two words. It is a value, which the host can pass to its kernels.
struct key_t {
  u32 x, y;
};

/// The key of a seed.
/// Cost: none.
constexpr key_t key(u64 seed) { return {static_cast<u32>(seed >> 32), static_cast<u32>(seed)}; }

/// Derives another key for each number, for example of a layer or of a step.
/// Cost: one threefry2x32 of scalars, once a program, or on the host.
constexpr key_t fold_in(key_t key, u32 number) {
  const auto words = threefry2x32(0U, number, key.x, key.y);
  return {words.x, words.y};
}
/// Derives two keys to be used instead of this one: auto [now, later] = tg::random::split(key).
/// Cost: that of two fold_in.
constexpr two<key_t> split(key_t key) { return {fold_in(key, 0), fold_in(key, 1)}; }

/// Random bits per counter: elements of u8, u16, u32 or u64.
///   const auto coins = tg::random::bits<tg::u8>(key, n) & tg::u8(1);
/// Cost: one threefry2x32 per element.
template <class T, detail::operand V> constexpr auto bits(key_t key, const V &counter) {
  static_assert(detail::one_of<T, u8, u16, u32, u64>,
                "random bits do not have this element type: use u8, u16, u32 or u64");
  const auto words = threefry2x32(detail::upper_word(counter), detail::lower_word(counter), key.x, key.y);
  if constexpr (__is_same(T, u64))
    return (astype<u64>(words.x) << u64(32)) | astype<u64>(words.y);
  else
    return astype<T>(words.x ^ words.y);
}

/// Uniform numbers in [0, 1) per counter: of f16, bf16, f32 or f64, multiples of 2^-11, 2^-8, 2^-24, 2^-53.
/// Cost: one threefry2x32 per element, and 3 instructions.
template <class T, detail::operand V> constexpr auto uniform(key_t key, const V &counter) {
  static_assert(detail::is_floating<T>, "uniform numbers do not have this element type: use f16, bf16, f32 or f64");
  if constexpr (__is_same(T, f64)) {
    const auto words = threefry2x32(detail::upper_word(counter), detail::lower_word(counter), key.x, key.y);
    return detail::uniform_of_two(words.x, words.y);
  } else
    return detail::uniform_of<T>(bits<u32>(key, counter));
}

/// Normally distributed numbers per counter, mean 0 and variance 1 (Box-Muller): of f16, bf16, f32 or f64.
/// Cost: one threefry2x32 per element, for f64 two, and two fold_in of the key, and log, sqrt and cos, some 50
/// instructions.
template <class T, detail::operand V> constexpr auto normal(key_t key, const V &counter) {
  static_assert(detail::is_floating<T>, "normal numbers do not have this element type: use f16, bf16, f32 or f64");
  if constexpr (__is_same(T, f64))
    return detail::box_muller(uniform<f64>(fold_in(key, 0), counter), uniform<f64>(fold_in(key, 1), counter)).x;
  else {
    const auto words = threefry2x32(detail::upper_word(counter), detail::lower_word(counter), key.x, key.y);
    return astype<T>(detail::box_muller(detail::uniform_of<float>(words.x), detail::uniform_of<float>(words.y)).x);
  }
}

} // namespace random

#undef TEGULA_A_SEED

} // namespace tegula
