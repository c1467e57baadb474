// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "functions.h"

#include "stated.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

constexpr int count = 11;
constexpr Stated stated[count] = {
    {"exp", 2, 2, [](long double x) { return std::exp(x); }},
    {"exp2", 2, 2, [](long double x) { return std::exp2(x); }},
    {"log", 2, 2, [](long double x) { return std::log(x); }},
    {"log2", 2, 2, [](long double x) { return std::log2(x); }},
    {"sin", 2, 2, [](long double x) { return std::sin(x); }},
    {"cos", 2, 2, [](long double x) { return std::cos(x); }},
    {"tanh", 3, 3, [](long double x) { return std::tanh(x); }},
    {"sqrt", 0.5, 0.5, [](long double x) { return std::sqrt(x); }, 0.5},
    {"erf", 2, 2, [](long double x) { return std::erf(x); }},
    {"logistic", 5, 3, [](long double x) { return 1 / (1 + std::exp(-x)); }},
    {"rsqrt", 2, 2,
     [](long double x) {
       return x == 0 ? std::copysign(std::numeric_limits<long double>::infinity(), x) : 1 / std::sqrt(x);
     }},
};
constexpr int error_function = 8;

template <class T, class Entry> void check_functions(Entry entry, const std::vector<std::int64_t> &sizes) {
  for (const auto n : sizes) {
    const auto x = of_every_magnitude<T>(n);
    buffer<T, 2> on_cpu;
    on_every_device([&](auto where) {
      auto o = entry(x.to(where), {}).to_host();
      ASSERT_EQ(o.dims(), tegula::shape<2>(count, n));
      for (int f = 0; f < count; ++f) {
        const Stated &function = stated[f];
        const double most = function.units<T>();
        const auto row = make<T, 1>({n}, [&](std::int64_t i) { return o(f, i); });
        const auto exact = [&](auto i) { return function.exact(static_cast<long double>(wide(x(i[0])))); };
        expect_near(function.name, row, exact, most);
        if (where.is_gpu() && on_cpu.size() == o.size())
          expect_near((std::string(function.name) + ", GPU and CPU").c_str(), row,
                      [&](auto i) { return static_cast<long double>(wide(on_cpu(f, i[0]))); },
                      most == 0.5      ? 0
                      : sizeof(T) == 2 ? 1
                                       : 2 * most);
      }
      if (where.is_cpu())
        on_cpu = std::move(o);
    });
  }
}

/// How far a result of approx_math may be from the exact one, in float.
long double approximation_error(int function, long double x, long double exact) {
  const long double relative = std::ldexp(std::abs(exact), -21);
  switch (function) {
  case 0: // exp
  case 9: // logistic
    return relative + std::ldexp(std::abs(x * exact), -23);
  case 2: // log
  case 3: // log2
    return relative + std::ldexp(1.0L, -21);
  case 4: // sin
  case 5: // cos
    return std::ldexp(1.0L, -20);
  case 6: // tanh
    return std::ldexp(std::abs(exact), -10);
  case 12:
    return relative + std::ldexp(1.0L + std::abs(x), -21);
  default:
    return relative;
  }
}

template <class T, class Entry> void check_approximations(Entry entry) {
  const auto positive = [](double least, double most) {
    return [=](std::int64_t) { return static_cast<T>(std::uniform_real_distribution(least, most)(generator())); };
  };
  // T rounds once more: to half a unit in its last place.
  const long double rounding = std::is_same_v<T, bf16> ? 0x1p-8L : std::is_same_v<T, f16> ? 0x1p-11L : 0;
  for (const auto n : odd_sizes) {
    const auto x = make<T, 1>({n}, positive(0.01, 3.1)), y = make<T, 1>({n}, positive(0.5, 2));
    on_every_device([&](auto where) {
      auto o = entry(x.to(where), y.to(where), {}).to_host();
      ASSERT_EQ(o.dims(), tegula::shape<2>(13, n));
      for (int f = 0; f < 13; ++f) {
        const auto row = make<T, 1>({n}, [&](std::int64_t i) { return o(f, i); });
        expect_agrees(
            f < count    ? stated[f].name
            : f == count ? "x / y"
                         : "x y + 1",
            row, [&](auto i) {
              const auto a = static_cast<long double>(wide(x(i[0]))), b = static_cast<long double>(wide(y(i[0])));
              const long double exact = f < count ? stated[f].exact(a) : f == count ? a / b : a * b + 1;
              return Near<T>{static_cast<double>(exact),
                             static_cast<double>(approximation_error(f, a, exact) + rounding * std::abs(exact))};
            });
      }
    });
  }
}

template <class T> T absolute(T x) {
  if constexpr (is_floating<T>)
    return static_cast<T>(std::abs(wide(x)));
  else
    return x < 0 ? static_cast<T>(0 - static_cast<std::uint64_t>(x)) : x;
}
template <class T> T squared(T x) {
  if constexpr (is_floating<T>)
    return static_cast<T>(wide(x) * wide(x));
  else
    return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(x));
}
/// NaN if either is; -0 is less than +0.
template <class T> T greater_of(T a, T b) {
  if constexpr (is_floating<T>) {
    if (std::isnan(wide(a)) || std::isnan(wide(b)))
      return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
    if (wide(a) == wide(b))
      return std::signbit(wide(a)) ? b : a;
  }
  return wide(a) < wide(b) ? b : a;
}
template <class T> T less_of(T a, T b) {
  if constexpr (is_floating<T>) {
    if (std::isnan(wide(a)) || std::isnan(wide(b)))
      return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
    if (wide(a) == wide(b))
      return std::signbit(wide(a)) ? a : b;
  }
  return wide(b) < wide(a) ? b : a;
}

template <class T, class Entry> void check_exact(Entry entry) {
  for (const auto n : odd_sizes) {
    auto x = buffer<T, 1>::empty({n}), y = buffer<T, 1>::empty({n});
    fill_with_pairs(x, y);
    on_every_device([&](auto where) {
      const auto o = entry(x.to(where), y.to(where), {});
      const auto of = [&](auto f) { return [&, f](auto i) { return f(x(i[0]), y(i[0])); }; };
      expect_same("abs", o.absolute, of([](T a, T) { return absolute(a); }));
      expect_same("square", o.squared, of([](T a, T) { return squared(a); }));
      expect_same("maximum", o.greater, of(greater_of<T>));
      expect_same("minimum", o.less, of(less_of<T>));
      expect_same("where", o.chosen, of([](T a, T b) { return wide(a) < wide(b) ? a : static_cast<T>(7); }));
    });
  }
}

template <class T, class Entry> void check_halved_magnitude(Entry entry) {
  auto x = buffer<T, 1>::empty({1030}), y = buffer<T, 1>::empty({1030});
  fill_with_pairs(x, y);
  on_every_device([&](auto where) {
    expect_same("abs(x) >> 1", entry(x.to(where), {}), [&](auto i) { return static_cast<T>(absolute(x(i[0])) >> 1); });
  });
}

template <class T> T negative(T x) { return static_cast<T>(0 - static_cast<std::uint64_t>(x)); }

template <class T, class Entry> void check_negated(Entry entry) {
  auto x = buffer<T, 1>::empty({1030}), y = buffer<T, 1>::empty({1030});
  fill_with_pairs(x, y);
  on_every_device([&](auto where) {
    const auto o = entry(x.to(where), y.to(where), {});
    const auto of = [&](auto f) { return [&, f](auto i) { return f(x(i[0]), y(i[0])); }; };
    const auto both = [](T a, T b) { return static_cast<T>(a & b); };
    expect_same("max(a, -b, a & b)", o.greatest, of([=](T a, T b) { return std::max({a, negative(b), both(a, b)}); }));
    expect_same("min(a, -b, a & b)", o.least, of([=](T a, T b) { return std::min({a, negative(b), both(a, b)}); }));
    expect_same("max(abs(a), b)", o.magnitude, of([](T a, T b) { return std::max(absolute(a), b); }));
    expect_same("-a >> 1", o.halved, of([](T a, T) { return static_cast<T>(negative(a) >> 1); }));
    expect_same("-a < b", o.chosen, of([](T a, T b) { return negative(a) < b ? a : b; }));
    expect_same("s64 of -a", o.wide, of([](T a, T) { return static_cast<std::int64_t>(negative(a)); }));
  });
}

} // namespace

TEST(Functions, OfTiles) {
  check_functions<f16>(transcendental_f16, odd_sizes_and_many);
  check_functions<bf16>(transcendental_bf16, odd_sizes_and_many);
  check_functions<float>(transcendental_f32, odd_sizes_and_many);
  check_functions<double>(transcendental_f64, odd_sizes_and_many);
}

/// Both polynomials of erf, every 2^-17 of a power of two and on both sides of where one follows the other.
TEST(Functions, ErfOfDenseNumbers) {
  constexpr int exponents = 24;
  constexpr std::int64_t each = std::int64_t{1} << 17, n = std::int64_t{2} * exponents * each;
  const auto x = make<float, 1>({n}, [](std::int64_t i) {
    const auto significand = 1 + static_cast<double>(i % each) / static_cast<double>(each);
    const auto magnitude = std::ldexp(significand, static_cast<int>(i / 2 / each) - exponents + 4);
    return static_cast<float>(i / each % 2 ? -magnitude : magnitude);
  });
  on_every_device([&](auto where) {
    auto o = transcendental_f32(x.to(where), {}).to_host();
    const auto row = make<float, 1>({n}, [&](std::int64_t i) { return o(error_function, i); });
    expect_near(
        "erf", row, [&](auto i) { return stated[error_function].exact(static_cast<long double>(x(i[0]))); },
        stated[error_function].f32);
  });
}

TEST(Functions, OfScalars) { check_functions<float>(transcendental_scalars, odd_sizes); }

TEST(Functions, Approximate) {
  check_approximations<f16>(approximate_f16);
  check_approximations<bf16>(approximate_bf16);
  check_approximations<float>(approximate_f32);
  check_approximations<double>(approximate_f64);
}

TEST(Functions, Exact) {
  check_exact<std::int8_t>(exact_s8);
  check_exact<std::int16_t>(exact_s16);
  check_exact<std::int32_t>(exact_s32);
  check_exact<std::int64_t>(exact_s64);
  check_exact<std::uint8_t>(exact_u8);
  check_exact<std::uint16_t>(exact_u16);
  check_exact<std::uint32_t>(exact_u32);
  check_exact<std::uint64_t>(exact_u64);
  check_exact<f16>(exact_f16);
  check_exact<bf16>(exact_bf16);
  check_exact<float>(exact_f32);
  check_exact<double>(exact_f64);
}

TEST(Functions, TheLeastIntegerKeepsItsSign) {
  check_halved_magnitude<std::int8_t>(halved_magnitude_s8);
  check_halved_magnitude<std::int16_t>(halved_magnitude_s16);
  check_halved_magnitude<std::int32_t>(halved_magnitude_s32);
  check_halved_magnitude<std::int64_t>(halved_magnitude_s64);
}

TEST(Functions, NegationsStay) {
  check_negated<std::int8_t>(negated_s8);
  check_negated<std::int16_t>(negated_s16);
  check_negated<std::int32_t>(negated_s32);
  check_negated<std::int64_t>(negated_s64);
}

TEST(Functions, OneSumOfAPair) {
  const auto x = make<std::int16_t, 1>({1}, [](std::int64_t) { return std::int16_t{969}; });
  on_every_device([&](auto where) {
    expect_same("969 + 5", same_sum(x.to(where), 1030, {}), [](auto) { return std::int16_t{974}; });
  });
}
