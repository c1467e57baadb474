// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.h"

#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::device;
using tegula::f16;
using tegula::s4;
using tegula::shape;
using tegula::u4;

namespace {

/// Exact references, in the arithmetic of the language: integers wrap, / and % by 0 give 0, floats round once.
template <class T> T wrapped(std::uint64_t bits) { return static_cast<T>(bits); }
template <class T> std::uint64_t bits(T value) { return static_cast<std::uint64_t>(value); }

template <class T> T add(T a, T b) {
  if constexpr (is_floating<T>)
    return static_cast<T>(wide(a) + wide(b));
  else
    return wrapped<T>(bits(a) + bits(b));
}
template <class T> T subtract(T a, T b) {
  if constexpr (is_floating<T>)
    return static_cast<T>(wide(a) - wide(b));
  else
    return wrapped<T>(bits(a) - bits(b));
}
template <class T> T multiply(T a, T b) {
  if constexpr (is_floating<T>)
    return static_cast<T>(wide(a) * wide(b));
  else
    return wrapped<T>(bits(a) * bits(b));
}
template <class T> T divide(T a, T b) {
  if constexpr (is_floating<T>)
    return static_cast<T>(wide(a) / wide(b));
  else if (b == 0)
    return 0;
  else if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return wrapped<T>(0 - bits(a));
  else
    return static_cast<T>(a / b);
}
template <class T> T remainder(T a, T b) {
  if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1)))
    return 0;
  return static_cast<T>(a % b);
}
template <class T> T shift_left(T a, T n) {
  return n < 0 || bits(n) >= 8 * sizeof(T) ? T(0) : wrapped<T>(bits(a) << n);
}
template <class T> T shift_right(T a, T n) {
  if (n < 0 || bits(n) >= 8 * sizeof(T))
    return a < 0 ? static_cast<T>(-1) : T(0);
  return static_cast<T>(a >> n);
}

template <class T> struct Operands {
  buffer<T, 1> x, y;
  explicit Operands(std::int64_t n) : x(buffer<T, 1>::empty({n})), y(buffer<T, 1>::empty({n})) {
    fill_with_pairs(x, y);
  }
};

template <class T, class Entry> void check_arithmetic(Entry entry) {
  for (const auto n : odd_sizes) {
    const Operands<T> host(n);
    on_every_device([&](auto where) {
      const auto x = host.x.to(where), y = host.y.to(where);
      auto sum = poisoned<T, 1>({n}, where), difference = poisoned<T, 1>({n}, where);
      auto product = poisoned<T, 1>({n}, where), quotient = poisoned<T, 1>({n}, where);
      auto negated = poisoned<T, 1>({n}, where);
      entry(x, y, sum, difference, product, quotient, negated, {});
      const auto of = [&](auto f) { return [&, f](auto i) { return f(host.x(i[0]), host.y(i[0])); }; };
      expect_same("+", sum, of(add<T>));
      expect_same("-", difference, of(subtract<T>));
      expect_same("*", product, of(multiply<T>));
      expect_same("/", quotient, of(divide<T>));
      expect_same("prefix -", negated, of([](T a, T) {
                    if constexpr (is_floating<T>)
                      return static_cast<T>(-wide(a));
                    else
                      return wrapped<T>(0 - bits(a));
                  }));
    });
  }
}

template <class T, class Entry> void check_bitwise(Entry entry) {
  for (const auto n : odd_sizes) {
    const Operands<T> host(n);
    // Every amount from -2 to two more than the width, as far as T has them.
    const auto amounts = make<T, 1>({n}, [](std::int64_t i) {
      const auto amount = i % static_cast<std::int64_t>(8 * sizeof(T) + 5) - 2;
      return static_cast<T>(std::is_signed_v<T> ? amount : amount + 2);
    });
    on_every_device([&](auto where) {
      const auto x = host.x.to(where), y = host.y.to(where), amount = amounts.to(where);
      auto rest = poisoned<T, 1>({n}, where), conjunction = poisoned<T, 1>({n}, where);
      auto disjunction = poisoned<T, 1>({n}, where), exclusive = poisoned<T, 1>({n}, where);
      auto complement = poisoned<T, 1>({n}, where);
      auto left = poisoned<T, 1>({n}, where), right = poisoned<T, 1>({n}, where);
      entry(x, y, amount, rest, conjunction, disjunction, exclusive, complement, left, right, {});
      const auto of = [&](const buffer<T, 1> &second, auto f) {
        return [&, f](auto i) { return f(host.x(i[0]), second(i[0])); };
      };
      expect_same("%", rest, of(host.y, remainder<T>));
      expect_same("&", conjunction, of(host.y, [](T a, T b) { return wrapped<T>(bits(a) & bits(b)); }));
      expect_same("|", disjunction, of(host.y, [](T a, T b) { return wrapped<T>(bits(a) | bits(b)); }));
      expect_same("^", exclusive, of(host.y, [](T a, T b) { return wrapped<T>(bits(a) ^ bits(b)); }));
      expect_same("~", complement, of(host.y, [](T a, T) { return wrapped<T>(~bits(a)); }));
      expect_same("<<", left, of(amounts, shift_left<T>));
      expect_same(">>", right, of(amounts, shift_right<T>));
    });
  }
}

template <class T, class Entry> void check_comparison(Entry entry) {
  for (const auto n : odd_sizes) {
    const Operands<T> host(n);
    on_every_device([&](auto where) {
      const auto x = host.x.to(where), y = host.y.to(where);
      auto less = poisoned<bool, 1>({n}, where), less_equal = poisoned<bool, 1>({n}, where);
      auto greater = poisoned<bool, 1>({n}, where), greater_equal = poisoned<bool, 1>({n}, where);
      auto equal = poisoned<bool, 1>({n}, where), different = poisoned<bool, 1>({n}, where);
      entry(x, y, less, less_equal, greater, greater_equal, equal, different, {});
      const auto of = [&](auto f) { return [&, f](auto i) { return f(wide(host.x(i[0])), wide(host.y(i[0]))); }; };
      expect_same("<", less, of([](auto a, auto b) { return a < b; }));
      expect_same("<=", less_equal, of([](auto a, auto b) { return a <= b; }));
      expect_same(">", greater, of([](auto a, auto b) { return a > b; }));
      expect_same(">=", greater_equal, of([](auto a, auto b) { return a >= b; }));
      expect_same("==", equal, of([](auto a, auto b) { return a == b; }));
      expect_same("!=", different, of([](auto a, auto b) { return a != b; }));
    });
  }
}

/// Quarters between -8 and 8, and small whole numbers: the result is exact in every floating-point type.
template <class T> T quarter() { return static_cast<T>((static_cast<int>(generator()() % 65) - 32) / 4.0); }
template <class T, class Entry> void check_with_scalar(Entry entry) {
  for (const auto n : odd_sizes) {
    const auto host = make<T, 1>({n}, [](std::int64_t) { return is_floating<T> ? quarter<T>() : random_value<T>(); });
    const auto a = is_floating<T> ? static_cast<T>(static_cast<int>(generator()() % 9) - 4) : random_value<T>();
    on_every_device([&](auto where) {
      const auto result = entry(host.to(where), a, {});
      ASSERT_EQ(result.dim(0), n);
      expect_same("x * a + 3 - a", result,
                  [&](auto i) { return subtract(add(multiply(host(i[0]), a), static_cast<T>(3)), a); });
    });
  }
}

template <class T, class Entry> void check_numbers(Entry entry) {
  const auto is_same = [](T a, T b) { return a.bits == b.bits; };
  constexpr float f = 0.3F;
  for (const int k : {6, 0, -3})
    for (const shape<2> &dims : {shape<2>{1, 1}, shape<2>{3, 7}, shape<2>{5, 129}, shape<2>{2, 9001}}) {
      const std::int64_t n = dims[1] / 2 + 1;
      const auto x = make<T, 2>(dims, [](std::int64_t) { return random_value<T>(); });
      on_every_device([&](device where) {
        auto o = poisoned<T, 2>(dims, where), p = poisoned<T, 2>(dims, where);
        auto q = poisoned<T, 2>(dims, where), r = poisoned<T, 2>(dims, where);
        entry(x.to(where), o, p, q, r, n, k, f, {});
        const auto choose = [&](auto inside, auto outside) {
          return [=](const shape<2> &i) { return i[1] < n ? inside(i) : outside(i); };
        };
        const auto all = [](auto value) { return [=](const shape<2> &) { return T(value); }; };
        const auto element = [&](const shape<2> &i) { return i[1] > 1 ? static_cast<T>(x(i[0], i[1])) : T(3); };
        expect_all("load, where", o, choose(element, all(2)), is_same);
        expect_all("assignment, store", p, choose(all(5), all(k)), is_same);
        expect_all("variable, full_like", q, choose(all(n > 2 ? 1 : 0), all(k)), is_same);
        if constexpr (std::is_same_v<T, s4> || std::is_same_v<T, u4>)
          expect_all("full, iota", r, choose(all(k), [](const shape<2> &i) { return T(i[1]); }), is_same);
        else
          expect_all("full", r, choose(all(f), all(0.75)), is_same);
      });
    }
}

} // namespace

TEST(Types, ArithmeticOfIntegers) {
  check_arithmetic<std::int8_t>(arithmetic_s8);
  check_arithmetic<std::int16_t>(arithmetic_s16);
  check_arithmetic<std::int32_t>(arithmetic_s32);
  check_arithmetic<std::int64_t>(arithmetic_s64);
  check_arithmetic<std::uint8_t>(arithmetic_u8);
  check_arithmetic<std::uint16_t>(arithmetic_u16);
  check_arithmetic<std::uint32_t>(arithmetic_u32);
  check_arithmetic<std::uint64_t>(arithmetic_u64);
}

TEST(Types, ArithmeticOfFloats) {
  check_arithmetic<f16>(arithmetic_f16);
  check_arithmetic<bf16>(arithmetic_bf16);
  check_arithmetic<float>(arithmetic_f32);
  check_arithmetic<double>(arithmetic_f64);
}

TEST(Types, BitsAndShifts) {
  check_bitwise<std::int8_t>(bitwise_s8);
  check_bitwise<std::int16_t>(bitwise_s16);
  check_bitwise<std::int32_t>(bitwise_s32);
  check_bitwise<std::int64_t>(bitwise_s64);
  check_bitwise<std::uint8_t>(bitwise_u8);
  check_bitwise<std::uint16_t>(bitwise_u16);
  check_bitwise<std::uint32_t>(bitwise_u32);
  check_bitwise<std::uint64_t>(bitwise_u64);
}

TEST(Types, Comparisons) {
  check_comparison<bool>(comparison_bool);
  check_comparison<std::int8_t>(comparison_s8);
  check_comparison<std::int16_t>(comparison_s16);
  check_comparison<std::int32_t>(comparison_s32);
  check_comparison<std::int64_t>(comparison_s64);
  check_comparison<std::uint8_t>(comparison_u8);
  check_comparison<std::uint16_t>(comparison_u16);
  check_comparison<std::uint32_t>(comparison_u32);
  check_comparison<std::uint64_t>(comparison_u64);
  check_comparison<f16>(comparison_f16);
  check_comparison<bf16>(comparison_bf16);
  check_comparison<float>(comparison_f32);
  check_comparison<double>(comparison_f64);
}

TEST(Types, Logic) {
  for (const bool flag : {false, true})
    for (const auto n : odd_sizes) {
      const Operands<bool> host(n);
      on_every_device([&](auto where) {
        const auto x = host.x.to(where), y = host.y.to(where);
        auto both = poisoned<bool, 1>({n}, where), either = poisoned<bool, 1>({n}, where);
        auto neither = poisoned<bool, 1>({n}, where), one = poisoned<bool, 1>({n}, where);
        auto chosen = poisoned<bool, 1>({n}, where);
        logic(x, y, flag, both, either, neither, one, chosen, {});
        const auto of = [&](auto f) { return [&, f](auto i) { return f(host.x(i[0]), host.y(i[0])); }; };
        expect_same("&&", both, of([](bool a, bool b) { return a && b; }));
        expect_same("||", either, of([](bool a, bool b) { return a || b; }));
        expect_same("!", neither, of([](bool a, bool b) { return !(a || b); }));
        expect_same("^", one, of([](bool a, bool b) { return a != b; }));
        expect_same("where", chosen, of([&](bool a, bool b) { return (a ? b : flag) && (flag || !b); }));
      });
    }
}

TEST(Types, RunTimeScalarsAndConstants) {
  check_with_scalar<std::int8_t>(with_scalar_s8);
  check_with_scalar<std::int16_t>(with_scalar_s16);
  check_with_scalar<std::int32_t>(with_scalar_s32);
  check_with_scalar<std::int64_t>(with_scalar_s64);
  check_with_scalar<std::uint8_t>(with_scalar_u8);
  check_with_scalar<std::uint16_t>(with_scalar_u16);
  check_with_scalar<std::uint32_t>(with_scalar_u32);
  check_with_scalar<std::uint64_t>(with_scalar_u64);
  check_with_scalar<f16>(with_scalar_f16);
  check_with_scalar<bf16>(with_scalar_bf16);
  check_with_scalar<float>(with_scalar_f32);
  check_with_scalar<double>(with_scalar_f64);
}

TEST(Types, NumbersWhereElementsHaveNoScalars) {
  check_numbers<tegula::e4m3>(numbers_e4m3);
  check_numbers<tegula::e5m2>(numbers_e5m2);
  check_numbers<tegula::e8m0>(numbers_e8m0);
  check_numbers<s4>(numbers_s4);
  check_numbers<u4>(numbers_u4);
  check_numbers<tegula::e2m1>(numbers_e2m1);
}

TEST(Types, CompoundAssignments) {
  for (const auto n : odd_sizes) {
    const Operands<std::int32_t> host(n);
    on_every_device([&](auto where) {
      auto x = host.x.to(where);
      compound(x, host.y.to(where), {});
      expect_same("x", x, [&](auto i) {
        const std::int32_t y = host.y(i[0]);
        std::int32_t t = subtract(multiply(add(host.x(i[0]), y), 3), y);
        t = (shift_left(remainder(divide(t, 2), 100), 2) ^ y) & 0x7f;
        return (t | 1) >> 1;
      });
    });
  }
}
