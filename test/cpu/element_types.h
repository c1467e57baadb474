// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of every element type that find errors, and exact arithmetic to compare with.

#ifndef TEGULA_TEST_CPU_ELEMENT_TYPES_H
#define TEGULA_TEST_CPU_ELEMENT_TYPES_H

#include "tegula/cpu/scalar.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tegula::test {

static_assert(LDBL_MANT_DIG >= 64, "these tests compare with long double, which must hold 64-bit integers");

using IntegerTypes = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                    std::uint32_t, std::uint64_t>;
using FloatTypes = testing::Types<f16, bf16, float, double>;
using NumberTypes = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                   std::uint32_t, std::uint64_t, f16, bf16, float, double>;
using AllTypes = testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                std::uint16_t, std::uint32_t, std::uint64_t, f16, bf16, float, double>;

template <class T> inline constexpr bool is_float = !std::is_integral_v<T>;

template <class T> long double exact_value(T value) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
    return static_cast<long double>(static_cast<float>(value));
  else
    return static_cast<long double>(value);
}

/// One rounding of an exact value. For f16 and bf16 it takes the candidates around a first guess and compares
/// distances.
template <class T> T nearest(long double exact) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(exact);
  else {
    const T guess(static_cast<float>(exact));
    if (std::isnan(exact) || std::isinf(exact) || exact == 0)
      return guess;
    // The largest finite number; half a unit above it begins infinity.
    const T largest = T::from_bits(static_cast<std::uint16_t>(T(std::numeric_limits<float>::infinity()).bits - 1));
    const T before = T::from_bits(static_cast<std::uint16_t>(largest.bits - 1));
    const long double limit = exact_value(largest) + (exact_value(largest) - exact_value(before)) / 2;
    const std::uint16_t sign = exact < 0 ? 0x8000 : 0;
    const long double magnitude = exact < 0 ? -exact : exact;
    if (magnitude >= limit)
      return T::from_bits(static_cast<std::uint16_t>(sign | (largest.bits + 1)));
    T best = largest;
    long double distance = std::numeric_limits<long double>::infinity();
    const int middle = guess.bits & 0x7fff;
    for (int bits = std::max(middle - 1, 0); bits <= std::min<int>(middle + 1, largest.bits); ++bits) {
      const T candidate = T::from_bits(static_cast<std::uint16_t>(bits));
      const long double off = std::fabs(exact_value(candidate) - magnitude);
      if (off < distance || (off == distance && bits % 2 == 0)) {
        best = candidate;
        distance = off;
      }
    }
    return T::from_bits(static_cast<std::uint16_t>(sign | best.bits));
  }
}

/// Equal bit for bit, any NaN being any other.
template <class T> bool same(T a, T b) {
  if constexpr (is_float<T>) {
    const long double x = exact_value(a), y = exact_value(b);
    return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
  } else
    return a == b;
}

template <class T> [[gnu::noinline]] std::string show(T a) { return std::to_string(exact_value(a)); }

[[gnu::noinline]] inline void report(const char *file, int line, const std::string &got, const std::string &expected,
                                     const std::string &of) {
  ADD_FAILURE_AT(file, line) << got << ", not " << expected << " of " << of;
}

/// Ends the test where an element is not what it must be. What GoogleTest's own macros leave at each place would cost
/// the optimiser more than what is tested: once for every type.
#define ASSERT_SAME(got, expected, ...)                                                                                \
  if (!same(got, expected))                                                                                            \
  return report(__FILE__, __LINE__, show(got), show(expected), __VA_ARGS__)

/// Edges, and random values of every magnitude. All of them for 8 and 16 bits.
template <class T> std::vector<T> interesting() {
  std::vector<T> values;
  if constexpr (std::is_same_v<T, bool>)
    values = {false, true};
  else if constexpr (sizeof(T) <= 2)
    for (unsigned bits = 0; bits < 1U << (8 * sizeof(T)); ++bits)
      values.push_back(
          detail::bit_cast<T>(static_cast<std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>>(bits)));
  else {
    using limits = std::numeric_limits<T>;
    std::mt19937_64 random(sizeof(T) * 7 + (std::is_signed_v<T> ? 1 : 0));
    if constexpr (is_float<T>)
      for (const T edge : {T(0), limits::min(), limits::denorm_min(), limits::max(), limits::infinity(),
                           limits::quiet_NaN(), limits::epsilon()})
        for (const T value : {edge, -edge, 1 + edge, 1 - edge})
          values.push_back(value);
    else
      for (const int value : {0, 1, 2, 3, 31, 32, 63, 64, 127, 128, 255})
        for (const auto edge : {T{0}, limits::max(), limits::min()})
          values.insert(values.end(),
                        {static_cast<T>(static_cast<std::uint64_t>(edge) + static_cast<std::uint64_t>(value)),
                         static_cast<T>(static_cast<std::uint64_t>(edge) - static_cast<std::uint64_t>(value))});
    for (int exponent = -160; exponent <= 160; ++exponent) // powers of two and what is next to them
      if constexpr (is_float<T>)
        for (const T value : {std::ldexp(T{1}, exponent), std::ldexp(T{3}, exponent)})
          for (const T near : {value, std::nextafter(value, T{0}), std::nextafter(value, limits::max())})
            values.insert(values.end(), {near, -near});
    for (int i = 0; i < 3000; ++i) {
      if constexpr (is_float<T>)
        values.push_back(
            std::ldexp(static_cast<T>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 100) - 100));
      else
        values.push_back(static_cast<T>(random() >> (random() % 64)));
    }
  }
  return values;
}

/// Pairs: all of a few edges with each other, and random ones.
template <class T> std::vector<std::pair<T, T>> interesting_pairs() {
  const std::vector<T> values = interesting<T>();
  std::vector<std::pair<T, T>> pairs;
  if (values.size() <= 256) {
    for (const T a : values)
      for (const T b : values)
        pairs.emplace_back(a, b);
    return pairs;
  }
  std::mt19937_64 random(17);
  for (int i = 0; i < 60000; ++i) {
    const T a = values[random() % values.size()], b = values[random() % values.size()];
    pairs.emplace_back(a, b);
    pairs.emplace_back(a, a);
    pairs.emplace_back(a, values[random() % 64]); // the edges come first
  }
  return pairs;
}

} // namespace tegula::test

#endif // TEGULA_TEST_CPU_ELEMENT_TYPES_H
