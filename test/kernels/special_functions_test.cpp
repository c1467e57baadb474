// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "special_functions.h"

#include "stated.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

long double normal_below(long double x) { return std::erfc(-x * 0.70710678118654752440084436210484903928L) / 2; }
long double sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }
/// sqrt(2 / pi) * 2 (x + 0.044715 x^3).
long double cubic(long double x) { return 1.5957691216057307117597842397375274738L * (x + 0.044715L * x * x * x); }

constexpr int erfinv = 10, silu = 11, gelu = 13, gelu_tanh = 14;
constexpr Stated functions[] = {
    {"expm1", 2, 2, [](long double x) { return std::expm1(x); }},
    {"log1p", 2, 2, [](long double x) { return std::log1p(x); }},
    {"tan", 4, 2, [](long double x) { return std::tan(x); }},
    {"asin", 4, 2, [](long double x) { return std::asin(x); }},
    {"acos", 4, 2, [](long double x) { return std::acos(x); }},
    {"atan", 2, 2, [](long double x) { return std::atan(x); }},
    {"sinh", 5, 3, [](long double x) { return std::sinh(x); }},
    {"cosh", 3, 3, [](long double x) { return std::cosh(x); }},
    {"cbrt", 2, 4, [](long double x) { return std::cbrt(x); }},
    {"erfc", 8, 5, [](long double x) { return std::erfc(x); }},
    {"erfinv", 4, 8, [](long double x) { return x; }}, // see below
    {"silu", 6, 3, [](long double x) { return x * sigmoid(x); }, 0.53},
    {"softplus", 4, 4, [](long double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); },
     0.53},
    {"gelu", 12, 12, [](long double x) { return std::isinf(x) && x < 0 ? 0 : x * normal_below(x); }, 0.53},
    {"gelu_tanh", 10, 10, [](long double x) { return x * sigmoid(cubic(x)); }, 0.53},
    {"sigmoid", 5, 3, sigmoid},
};
constexpr int count = 16;

/// By a step of Newton's method from the result, which leads far away from a wrong one.
long double inverse_of_erf(long double x, long double result) {
  if (!(std::fabs(x) < 1) || std::isnan(result))
    return std::fabs(x) == 1 ? std::copysign(std::numeric_limits<long double>::infinity(), x)
                             : std::numeric_limits<long double>::quiet_NaN();
  const long double y = std::fabs(result), magnitude = std::fabs(x);
  const long double error = magnitude < 0.5L ? std::erf(y) - magnitude : (1 - magnitude) - std::erfc(y);
  return std::copysign(y - error / (1.1283791670955125738961589031215452L * std::exp(-y * y)), x);
}

template <class T, class Entry> void check_special(Entry entry, const std::vector<std::int64_t> &sizes) {
  for (const auto n : sizes) {
    const auto x = of_every_magnitude<T>(n);
    on_every_device([&](auto where) {
      auto o = entry(x.to(where), {}).to_host();
      ASSERT_EQ(o.dims(), tegula::shape<2>(count, n));
      for (int f = 0; f < count; ++f) {
        const Stated &function = functions[f];
        const auto check = [&](std::int64_t i) {
          const auto value = static_cast<long double>(wide(x(i)));
          const auto result = static_cast<long double>(wide(o(f, i)));
          const long double exact = f == erfinv ? inverse_of_erf(value, result) : function.exact(value);
          // Where the tail of a gelu falls steeply, an error of its argument counts more.
          const bool is_steep = (f == gelu || f == gelu_tanh) && value < -1 && sizeof(T) > 2;
          const double steep = is_steep ? (f == gelu ? 2 : 4) * static_cast<double>(value * value) : 0;
          // Where a sigmoid is subnormal, its units count as often as it is multiplied by x.
          const bool is_subnormal = (f == silu || f == gelu_tanh) && std::isfinite(value) &&
                                    ((sizeof(T) == 4 && value < -86) || (sizeof(T) == 8 && value < -707));
          const double multiplied = is_subnormal ? 6 * static_cast<double>(-value) : 0;
          return ulps(o(f, i), exact) <= function.units<T>() + steep + multiplied;
        };
        std::int64_t wrong = 0, first = -1;
        for (std::int64_t i = 0; i < n; ++i)
          if (!check(i) && wrong++ == 0)
            first = i;
        EXPECT_EQ(wrong, 0) << function.name << ": of " << text(x(first)) << " it is " << text(o(f, first)) << ", not "
                            << static_cast<double>(function.exact(static_cast<long double>(wide(x(first)))));
      }
    });
  }
}

constexpr StatedOfTwo power = {"pow", 8, 5, [](long double x, long double y) { return std::pow(x, y); }};
constexpr StatedOfTwo angle = {"atan2", 4, 2, [](long double y, long double x) { return std::atan2(y, x); }};
constexpr StatedOfTwo length = {"hypot", 4, 2, [](long double x, long double y) { return std::hypot(x, y); }};

template <class T, class Entry> void check_of_two(Entry entry) {
  for (const auto n : odd_sizes_and_many) {
    auto x = buffer<T, 1>::empty({n}), y = buffer<T, 1>::empty({n});
    fill_with_pairs(x, y);
    const auto a = of_every_magnitude<T>(n), b = of_every_magnitude<T>(n);
    for (std::int64_t i = 200; i < n; ++i) { // Of magnitudes that have powers.
      x(i) = static_cast<T>(std::abs(wide(a(i))));
      y(i) = b(i);
    }
    on_every_device([&](auto where) {
      const auto o = entry(x.to(where), y.to(where), {});
      const auto check = [&](const StatedOfTwo &function, const buffer<T, 1> &result) {
        const auto exact = [&](auto i) {
          return function.exact(static_cast<long double>(wide(x(i[0]))), static_cast<long double>(wide(y(i[0]))));
        };
        expect_near(function.name, result, exact, function.units<T>());
      };
      check(power, o.power);
      check(angle, o.angle);
      check(length, o.length);
    });
  }
}

/// How far results of approx_math may be from the exact ones, in float.
template <class T, class Entry> void check_approximate(Entry entry) {
  const auto between = [](double least, double most) {
    return [=](std::int64_t) { return static_cast<T>(std::uniform_real_distribution(least, most)(generator())); };
  };
  const long double rounding = std::is_same_v<T, f16> ? 0x1p-11L : 0;
  for (const auto n : odd_sizes) {
    const auto x = make<T, 1>({n}, between(0.01, 1.5)), y = make<T, 1>({n}, between(-1.5, 1.5));
    on_every_device([&](auto where) {
      auto o = entry(x.to(where), y.to(where), {}).to_host();
      for (int f = 0; f < 6; ++f) {
        const auto row = make<T, 1>({n}, [&](std::int64_t i) { return o(f, i); });
        expect_agrees("approximation", row, [&](auto i) {
          const auto a = static_cast<long double>(wide(x(i[0]))), b = static_cast<long double>(wide(y(i[0])));
          const long double unit = 0x1p-21L;
          long double exact = 0, error = 0;
          switch (f) {
          case 0:
            exact = std::tan(a);
            error = 4 * unit * (1 + exact * exact);
            break;
          case 1:
            exact = std::cosh(a);
            error = exact * (2 + a / 2) * unit;
            break;
          case 2:
            exact = a * sigmoid(a);
            error = exact * (2 + a) * unit;
            break;
          case 3:
            exact = std::log1p(std::exp(a));
            error = exact * 4 * unit;
            break;
          case 4:
            exact = std::pow(a, b);
            error = exact * (1 + std::abs(b) + std::abs(b * std::log2(a))) * unit;
            break;
          default:
            exact = -a * a * a;
            error = std::abs(exact) * (4 + std::abs(3 * std::log2(a))) * unit;
          }
          return Near<T>{static_cast<double>(exact), static_cast<double>(error + rounding * std::abs(exact))};
        });
      }
    });
  }
}

} // namespace

TEST(SpecialFunctions, OfTiles) {
  check_special<f16>(special_f16, odd_sizes_and_many);
  check_special<bf16>(special_bf16, odd_sizes_and_many);
  check_special<float>(special_f32, odd_sizes_and_many);
  check_special<double>(special_f64, odd_sizes_and_many);
}

TEST(SpecialFunctions, OfScalars) {
  check_special<f16>(special_scalars_f16, odd_sizes);
  check_special<float>(special_scalars_f32, odd_sizes);
}

TEST(SpecialFunctions, OfTwo) {
  check_of_two<f16>(special_of_two_f16);
  check_of_two<bf16>(special_of_two_bf16);
  check_of_two<float>(special_of_two_f32);
  check_of_two<double>(special_of_two_f64);
}

TEST(SpecialFunctions, ConstantsAdapt) {
  const auto x = make<float, 1>({129}, [](std::int64_t i) { return static_cast<float>(i - 64) / 8; });
  on_every_device([&](auto where) {
    const auto o = with_constants(x.to(where), {});
    expect_near(
        "with constants", o,
        [&](auto i) {
          const auto a = static_cast<long double>(x(i[1]));
          return i[0] == 0 ? a * a * a : i[0] == 1 ? std::exp2(a) : i[0] == 2 ? 2 * a - 0.5L : std::hypot(a, 4.0L);
        },
        8);
  });
}

TEST(SpecialFunctions, Approximate) {
  check_approximate<f16>(approximate_special_f16);
  check_approximate<float>(approximate_special_f32);
}
