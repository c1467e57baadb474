// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rounding.h"

#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

constexpr const char *names[] = {"floor", "ceil",      "trunc", "round", "rint",    "sign",
                                 "clamp", "nextafter", "isnan", "isinf", "isfinite"};
constexpr int functions = 11;

/// The next number by its bits: positive ones ascend with them, negative ones descend.
template <class T> T next_after(T x, T y) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  const auto a = wide(x), b = wide(y);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? x : y;
  if (a == b)
    return y;
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));
  Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  if (a == 0)
    bits = static_cast<Bits>((b < 0 ? sign : 0) | 1);
  else
    bits = static_cast<Bits>((a < b) == (a > 0) ? bits + 1 : bits - 1);
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}

template <class T> double reference(int function, T value) {
  const auto x = static_cast<double>(wide(value));
  switch (function) {
  case 0:
    return std::floor(x);
  case 1:
    return std::ceil(x);
  case 2:
    return std::trunc(x);
  case 3:
    return std::round(x);
  case 4:
    return std::nearbyint(x);
  case 5:
    return x > 0 ? 1 : x < 0 ? -1 : x;
  case 6:
    return x < -1 ? -1 : x > 2.5 ? 2.5 : x;
  case 7:
    return static_cast<double>(wide(next_after(value, static_cast<T>(std::numeric_limits<double>::infinity()))));
  case 8:
    return std::isnan(x) ? 1 : 0;
  case 9:
    return std::isinf(x) ? 1 : 0;
  default:
    return std::isfinite(x) ? 1 : 0;
  }
}

/// Special values, halves and their neighbours, then numbers of every magnitude.
template <class T> buffer<T, 1> arguments(std::int64_t n) {
  const auto special = special_values<T>();
  return make<T, 1>({n}, [&](std::int64_t i) {
    const auto place = static_cast<std::size_t>(i);
    if (place < special.size())
      return special[place];
    if (i % 2 == 0) {
      const T half = static_cast<T>(static_cast<double>(i % 64 - 32) / 4);
      return i % 8 == 0 ? half : next_after(half, static_cast<T>(i % 4 == 0 ? 1e4 : -1e4));
    }
    const auto exponent = std::uniform_int_distribution<int>(-12, 40)(generator());
    return static_cast<T>(
        std::ldexp(static_cast<double>(wide(random_value<T>())), exponent / (sizeof(T) == 2 ? 4 : 1)));
  });
}

template <class T, class Entry> void check_rounding(Entry entry) {
  for (const auto n : odd_sizes) {
    const auto x = arguments<T>(n);
    on_every_device([&](auto where) {
      auto o = entry(x.to(where), {}).to_host();
      ASSERT_EQ(o.dims(), tegula::shape<2>(functions, n));
      for (int f = 0; f < functions; ++f)
        expect_same(names[f], make<T, 1>({n}, [&](std::int64_t i) { return o(f, i); }),
                    [&](auto i) { return static_cast<T>(reference(f, x(i[0]))); });
    });
  }
}

/// Python's division: of integers in 128 bits, of floats by what fmod leaves.
template <class T> std::pair<T, T> floor_divided(T a, T b) {
  if constexpr (!is_floating<T>) {
    const __int128 x = a, y = b;
    if (y == 0)
      return {T(0), T(0)};
    const __int128 quotient = x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
    return {static_cast<T>(quotient), static_cast<T>(x - quotient * y)};
  } else {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const auto x = static_cast<Wide>(wide(a)), y = static_cast<Wide>(wide(b)), rest = std::fmod(x, y);
    const bool differs = rest != 0 && (rest < 0) != (y < 0);
    const Wide modulo = rest == 0 ? std::copysign(Wide(0), y) : differs ? rest + y : rest;
    if (y == 0)
      return {static_cast<T>(x / y), static_cast<T>(rest)};
    const Wide whole = (x - rest) / y - (differs ? 1 : 0);
    return {static_cast<T>(whole == 0 ? std::copysign(Wide(0), x / y) : std::floor(whole + Wide(0.5))),
            static_cast<T>(modulo)};
  }
}

template <class T, class Entry> void check_floor_division(Entry entry) {
  for (const auto n : odd_sizes) {
    auto x = buffer<T, 1>::empty({n}), y = buffer<T, 1>::empty({n});
    fill_with_pairs(x, y);
    on_every_device([&](auto where) {
      const auto o = entry(x.to(where), y.to(where), {});
      expect_same("floor_divide", o.quotient, [&](auto i) { return floor_divided(x(i[0]), y(i[0])).first; });
      expect_same("floor_mod", o.modulo, [&](auto i) { return floor_divided(x(i[0]), y(i[0])).second; });
    });
  }
}

template <class T> T extreme(T a, T b, bool greatest) {
  const auto x = wide(a), y = wide(b);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) ? b : a;
  const bool a_is_greater = x > y || (x == y && std::signbit(y));
  return a_is_greater == greatest ? a : b;
}

/// a b - b, rounded once. A long double holds the products of all types but f64, and their sums unless these are far
/// apart; std::fma is exact for f32 and f64.
template <class T> T fused(T a, T b) {
  if constexpr (sizeof(T) == 2) {
    const auto x = static_cast<long double>(wide(a)), y = static_cast<long double>(wide(b));
    return static_cast<T>(static_cast<double>(x * y - y)); // b has 11 bits at most, and a b 22.
  } else
    return std::fma(a, b, -b);
}

template <class T, class Entry> void check_of_two(Entry entry) {
  for (const auto n : odd_sizes) {
    auto x = buffer<T, 1>::empty({n}), y = buffer<T, 1>::empty({n});
    fill_with_pairs(x, y);
    on_every_device([&](auto where) {
      const auto o = entry(x.to(where), y.to(where), {});
      const auto of = [&](auto f) { return [&, f](auto i) { return f(x(i[0]), y(i[0])); }; };
      expect_same("fmod", o.rest, of([](T a, T b) { return static_cast<T>(std::fmod(wide(a), wide(b))); }));
      expect_same("copysign", o.signs, of([](T a, T b) { return static_cast<T>(std::copysign(wide(a), wide(b))); }));
      expect_same("fmax", o.greater, of([](T a, T b) { return extreme(a, b, true); }));
      expect_same("fmin", o.less, of([](T a, T b) { return extreme(a, b, false); }));
      expect_same("nextafter", o.next, of(next_after<T>));
      expect_same("fma", o.fused, of(fused<T>));
    });
  }
}

template <class T, class Entry> void check_limited(Entry entry) {
  for (const auto n : odd_sizes) {
    auto x = buffer<T, 1>::empty({n}), y = buffer<T, 1>::empty({n});
    fill_with_pairs(x, y);
    on_every_device([&](auto where) {
      const auto o = entry(x.to(where), {});
      expect_same("sign", o.signs, [&](auto i) { return static_cast<T>(x(i[0]) > 0 ? 1 : x(i[0]) < 0 ? -1 : 0); });
      expect_same("clamp", o.clamped, [&](auto i) { return std::min<T>(std::max<T>(x(i[0]), 3), 100); });
    });
  }
}

} // namespace

TEST(Rounding, OfTiles) {
  check_rounding<f16>(rounding_f16);
  check_rounding<bf16>(rounding_bf16);
  check_rounding<float>(rounding_f32);
  check_rounding<double>(rounding_f64);
}

TEST(Rounding, OfScalars) {
  check_rounding<bf16>(rounding_scalars_bf16);
  check_rounding<float>(rounding_scalars_f32);
}

TEST(Rounding, DividesAsPython) {
  check_floor_division<std::int8_t>(floor_division_s8);
  check_floor_division<std::int16_t>(floor_division_s16);
  check_floor_division<std::int32_t>(floor_division_s32);
  check_floor_division<std::int64_t>(floor_division_s64);
  check_floor_division<std::uint8_t>(floor_division_u8);
  check_floor_division<std::uint32_t>(floor_division_u32);
  check_floor_division<f16>(floor_division_f16);
  check_floor_division<bf16>(floor_division_bf16);
  check_floor_division<float>(floor_division_f32);
  check_floor_division<double>(floor_division_f64);
}

TEST(Rounding, OfTwo) {
  check_of_two<f16>(of_two_f16);
  check_of_two<bf16>(of_two_bf16);
  check_of_two<float>(of_two_f32);
  check_of_two<double>(of_two_f64);
}

TEST(Rounding, OfIntegers) {
  check_limited<std::int8_t>(limited_s8);
  check_limited<std::uint8_t>(limited_u8);
  check_limited<std::int64_t>(limited_s64);
  check_limited<std::uint64_t>(limited_u64);
}
