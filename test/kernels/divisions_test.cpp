// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divisions.h"

#include "support.h"

#include <cmath>

using namespace tegula::test;
using tegula::buffer;

namespace {

/// A number of any bits: each exponent is as frequent as the others, subnormals among them, with significands of few
/// bits, so that quotients are ties, or of many.
float any_float() {
  auto bits = static_cast<std::uint32_t>(generator()());
  if (bits % 3 == 0)
    bits &= 0xfff00000U;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// A number near 1, as most are.
float plain_float() { return static_cast<float>(std::normal_distribution<double>(0, 1)(generator())); }

/// Pairs of special values and of any others. Where `clean`, most stretches of a thread's elements have none.
std::pair<buffer<float, 1>, buffer<float, 1>> pairs(std::int64_t n, bool clean) {
  auto x = buffer<float, 1>::empty({n}), y = buffer<float, 1>::empty({n});
  fill_with_pairs(x, y);
  const auto special = static_cast<std::int64_t>(special_values<float>().size());
  for (std::int64_t i = std::min(n, special * special); i < n; ++i) {
    const bool is_any = !clean || i % 61 == 0;
    x(i) = is_any ? any_float() : plain_float();
    y(i) = is_any ? any_float() : plain_float();
  }
  return {std::move(x), std::move(y)};
}

/// IEEE 754: rounded once. A subnormal quotient of f64 is rounded to f32 once, too, since f64 has more than twice the
/// bits.
float quotient(float x, float y) { return static_cast<float>(static_cast<double>(x) / static_cast<double>(y)); }

} // namespace

TEST(Divisions, OfElements) {
  for (const bool clean : {false, true})
    for (const std::int64_t n : {1, 7, 127, 129, 1000, 300007}) {
      const auto [x, y] = pairs(n, clean);
      on_every_device([&, &x = x, &y = y](auto where) {
        auto o = poisoned<float, 1>({n}, where);
        quotients(x.to(where), y.to(where), o, {});
        expect_same("x / y", o, [&](auto i) { return quotient(x(i[0]), y(i[0])); });
      });
    }
}

TEST(Divisions, OfRows) {
  for (const std::int64_t columns : {1, 63, 1000, 1024, 5000, 8192, 8200, 20000}) {
    const std::int64_t rows = 40;
    const auto [x, y] = pairs(rows * columns, true);
    auto a = buffer<float, 2>::empty({rows, columns}), b = buffer<float, 2>::empty({rows, columns});
    std::memcpy(a.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(float));
    std::memcpy(b.data(), y.data(), static_cast<std::size_t>(y.size()) * sizeof(float));
    on_every_device([&](auto where) {
      auto o = poisoned<float, 2>({rows, columns}, where);
      auto greatest = poisoned<float, 1>({rows}, where);
      quotients_of_rows(a.to(where), b.to(where), o, greatest, {});
      expect_same("x / y", o, [&](auto i) { return quotient(a(i[0], i[1]), b(i[0], i[1])); });
    });
  }
}

TEST(Divisions, OfNumbers) {
  const auto [x, y] = pairs(100003, false);
  on_every_device([&, &x = x, &y = y](auto where) {
    auto o = poisoned<float, 1>({x.dim(0)}, where);
    quotients_of_numbers(x.to(where), y.to(where), o, {});
    expect_same("x / y", o, [&](auto i) { return quotient(x(i[0]), y(i[0])); });
  });
}

namespace {
template <class T, class Divide> void check_many(Divide divide) {
  for (const std::int64_t n : {1, 127, 1003}) {
    const auto positive = [](auto) { return static_cast<T>(1 + generator()() % 1000) / T(64); };
    const auto x = make<T, 1>({n}, positive), y = make<T, 1>({n}, positive);
    on_every_device([&](auto where) {
      auto o = poisoned<T, 1>({n}, where);
      divide(x.to(where), y.to(where), o);
      expect_same("the last quotient", o, [&](auto at) {
        T v = x(at[0]);
        for (int i = 0; i < 200; ++i) {
          const T numerator = v + y(at[0]) / T(i + 3), square = v / y(at[0]) * v;
          v = numerator / std::sqrt(square + T(i));
        }
        return v;
      });
    });
  }
}
} // namespace

TEST(Divisions, OfMany) {
  check_many<float>([](const auto &x, const auto &y, auto &o) { many_quotients_f32(x, y, o, {}); });
  check_many<double>([](const auto &x, const auto &y, auto &o) { many_quotients_f64(x, y, o, {}); });
}
