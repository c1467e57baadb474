// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, with how far results are from the exact ones at most: as include/tegula/language/math.h and activations.h
// state it, which test/language/accuracy.cpp compares. References are in long double, whose own error is too small to
// count: it has 11 bits more than double.
#pragma once

#include "support.h"

namespace tegula::test {

/// In units of the last place of f32 and f64; f16 and bf16, which compute in float, are within `narrow` of their own.
struct Stated {
  const char *name;
  double f32, f64;
  long double (*exact)(long double);
  double narrow = 0.51;

  template <class T> double units() const { return sizeof(T) == 2 ? narrow : sizeof(T) == 4 ? f32 : f64; }
};
struct StatedOfTwo {
  const char *name;
  double f32, f64;
  long double (*exact)(long double, long double);
  double narrow = 0.51;

  template <class T> double units() const { return sizeof(T) == 2 ? narrow : sizeof(T) == 4 ? f32 : f64; }
};

/// Special values, then numbers of every magnitude.
template <class T> buffer<T, 1> of_every_magnitude(std::int64_t n) {
  const auto special = special_values<T>();
  return make<T, 1>({n}, [&](std::int64_t i) {
    const auto place = static_cast<std::size_t>(i);
    if (place < special.size())
      return special[place];
    const auto exponent = std::uniform_int_distribution<int>(-20, 7)(generator());
    return static_cast<T>(std::ldexp(static_cast<double>(wide(random_value<T>())), exponent));
  });
}

/// How many numbers functions are measured at, beside odd sizes: as many as take a second.
inline constexpr std::int64_t many = std::int64_t{1} << 16;
inline const std::vector<std::int64_t> odd_sizes_and_many = {0, 1, 7, 127, 129, 1030, many};

} // namespace tegula::test
