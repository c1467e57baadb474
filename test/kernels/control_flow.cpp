// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ in bodies: loops and branches over run-time values, functions, recursion over constants, lambdas, structs, packs.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

/// The steps of Collatz's walk from x to 1, at most `limit`: while, if, else, break.
TEGULA_KERNEL tg::array<int, 1> collatz(tg::array<const tg::s64, 1> x, int limit) {
  auto o = tg::empty<int>(x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto o) {
        const auto i = tg::program_id(0);
        tg::s64 value = x[i];
        int steps = 0;
        while (value != 1) {
          if (steps == limit)
            break;
          if (value % 2 == 0)
            value /= 2;
          else
            value = 3 * value + 1;
          ++steps;
        }
        o[i] = steps;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// The sum of the divisors of x: for, continue.
TEGULA_KERNEL tg::array<int, 1> divisors(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const int n = x[0];
        int sum = 0;
        for (int d = 1; d <= n; d++) {
          if (n % d)
            continue;
          sum += d;
        }
        o[0] = sum;
      },
      tg::in<1>(x, same), tg::out<1>(o, same));
  return o;
}

/// An early return of the body, and one of a helper in a loop: o keeps its value where x is negative, and becomes the
/// least k with k * k >= x elsewhere.
inline int root(int x) {
  for (int k = 0;; ++k)
    if (k * k >= x)
      return k;
}
TEGULA_KERNEL void roots(tg::array<const int, 1> x, tg::array<int, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        if (x[0] < 0)
          return;
        o[0] = root(x[0]);
      },
      tg::in<1>(x, same), tg::inout<1>(o, same));
}

/// Tiles carried around a loop of a run-time number of steps, and exchanged there: Fibonacci's rule.
TEGULA_KERNEL tg::array<tg::u32, 1> fibonacci(tg::array<const tg::u32, 1> x, tg::array<const tg::u32, 1> y, int steps) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128)}},
      [=](auto x, auto y, auto o) {
        auto a = x[tg::all], b = y[tg::all];
        for (int i = 0; i < steps; ++i) {
          const auto sum = a + b;
          a = b;
          b = sum;
        }
        o[tg::all] = a;
      },
      tg::in<128>(x, same), tg::in<128>(y, same), tg::out<128>(o, same));
  return o;
}

/// Branches on run-time scalars choose among tiles; nested loops; a condition of the launch and one of the program.
TEGULA_KERNEL tg::array<float, 1> branches(tg::array<const float, 1> x, int mode, bool negate) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [=](auto x, auto o) {
        auto t = x[tg::all];
        if (mode == 0)
          t = 2 * t;
        else if (mode == 1 && tg::program_id(0) % 2 == 1)
          t += 1;
        else
          for (int i = 0; i < mode; ++i)
            for (int j = i; j < mode; ++j)
              t += tg::astype<float>(i * j);
        o[tg::all] = t * (negate ? -1.0f : 1.0f);
      },
      tg::in<32>(x, same), tg::out<32>(o, same));
  return o;
}

/// A tile that conforms to what a loop or a branch meets at an edge goes as far as that, also where neither happens.
TEGULA_KERNEL tg::array<int, 2> conforming(tg::array<const int, 1> x, int steps) {
  auto o = tg::empty<int>(tg::cdiv(x.dim(0), 64), 4);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [=](auto x, auto o) {
        auto added = tg::full<int, 64>(1), shifted = added, chosen = 2 * added;
        for (int i = 0; i < steps; ++i) {
          shifted = shifted + added;
          added += x[tg::all];
        }
        if (steps > 1)
          chosen = x[tg::all];
        o[0, 0] = tg::sum(added);
        o[0, 1] = tg::sum(shifted);
        o[0, 2] = tg::sum(chosen);
        o[0, 3] = tg::astype<int>(shifted.dim(0));
      },
      tg::in<64>(x, same), tg::out<1, 4>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// Windows that the loop alone cuts: of the same place in each iteration, and of the next block, whole by a mask.
TEGULA_KERNEL tg::array<int, 1> windows(tg::array<const int, 1> x, int steps, tg::s64 before) {
  auto o = tg::empty<int>(3);
  tg::pallas_call(
      [=](auto x, auto o) {
        auto same_place = tg::zeros<int, 64>(), next_block = same_place;
        for (int i = 0; i < steps; ++i)
          same_place += x[tg::ds<64>(before + 1)];
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(0), 64); ++k)
          next_block += tg::load(x.at(tg::ds<64>(64 * k)), true, 0);
        o[0] = tg::sum(same_place);
        o[1] = tg::astype<int>(same_place.dim(0));
        o[2] = tg::sum(next_block);
      },
      tg::in(x), tg::out(o));
  return o;
}

/// Counters of every kind, which passes turn into one: sums over x[i] numbers.
TEGULA_KERNEL tg::array<tg::s64, 2> counters(tg::array<const int, 1> x) {
  auto o = tg::empty<tg::s64>(4, x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto i = tg::program_id(0);
        const int n = x[i];
        tg::s64 sum = 0, at = 5;
        for (unsigned k = 0; k < unsigned(n); ++k, at += 3)
          sum += at * k;
        o[0, i] = sum;
        sum = 0;
        for (tg::u64 k = 1; k <= tg::u64(n); ++k)
          sum += tg::s64(k);
        o[1, i] = sum;
        sum = 0;
        for (int k = 0; k != n; ++k)
          sum += k * k;
        o[2, i] = sum;
        sum = 0;
        for (int k = n; k >= 1; --k)
          sum += 2 * sum + k;
        o[3, i] = sum;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// do, and a counter that the condition changes.
TEGULA_KERNEL tg::array<int, 1> digits(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        int rest = x[0], count = 0;
        do {
          rest /= 10;
          ++count;
        } while (rest != 0);
        o[0] = count;
      },
      tg::in<1>(x, same), tg::out<1>(o, same));
  return o;
}

/// Recursion over constants, if constexpr.
template <int Exponent, class V> V power(const V &x) {
  if constexpr (Exponent == 1)
    return x;
  else if constexpr (Exponent % 2 == 0)
    return tg::square(power<Exponent / 2>(x));
  else
    return x * power<Exponent - 1>(x);
}
/// Recursion whose end is a constant condition of an ordinary if.
template <class V> V horner(const V &x, const int (&coefficients)[4], int k) {
  if (k == 3)
    return tg::full_like(x, coefficients[k]);
  return x * horner(x, coefficients, k + 1) + coefficients[k];
}
constexpr int cubic[4] = {5, -3, 2, 7};
TEGULA_KERNEL tg::array<int, 1> polynomial(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = power<13>(x[tg::all]) + horner(x[tg::all], cubic, 0); }, tg::in(x),
                  tg::out(o));
  return o;
}

/// Unrolled loops: by pragma, where the index is a constant, and by static_for, where it is a type.
TEGULA_KERNEL tg::array<int, 1> unrolled(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = tg::zeros_like(x[tg::all]);
#pragma unroll
        for (int i = 0; i < 4; ++i)
          t += cubic[i] * x[tg::all];
        tg::static_for<3>([&](auto i) { t = t * power<i + 1>(tg::full_like(t, 2)) + i; });
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// Structs of tiles with member functions and a base, structured bindings, packs, references, captures by reference.
template <class V> struct pair {
  V first, second;
  V sum() const { return first + second; }
};
template <class V> struct labelled : pair<V> {
  int label;
};
template <class V> pair<V> ordered(const V &a, const V &b) { return {tg::minimum(a, b), tg::maximum(a, b)}; }
template <class V> void exchange(V &a, V &b) {
  const V old = a;
  a = b;
  b = old;
}
template <class... V> auto sum_of(const V &...values) { return (values + ...); }
TEGULA_KERNEL tg::array<int, 1> structs(tg::array<const int, 1> x, tg::array<const int, 1> y, int z) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [z](auto x, auto y, auto o) {
        auto [low, high] = ordered(x[tg::all], y[tg::all]);
        exchange(low, high); // low is the greater now
        const auto weighted = [&, three = 3](const auto &v) { return three * v - high; };
        int calls = 0;
        const auto counted = [&calls](const auto &v) {
          ++calls;
          return v + calls;
        };
        const labelled<decltype(low)> both{{weighted(low), counted(high)}, z};
        o[tg::all] = sum_of(both.sum(), counted(low), high, low) * both.label;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// Constants from constexpr code: a table made by a loop, an enum, a struct as a template argument.
struct Config {
  int scale;
  bool negate;
};
constexpr auto triangle = [] {
  struct {
    int at[8];
  } table{};
  for (int i = 0; i < 8; ++i)
    table.at[i] = (i > 0 ? table.at[i - 1] : 0) + i;
  return table;
}();
template <Config C> TEGULA_KERNEL tg::array<int, 1> configured(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all] * C.scale + triangle.at[C.scale];
        if (C.negate)
          t = -t;
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("configured_3", configured<Config{3, false}>);
TEGULA_INSTANTIATE("configured_7_negated", configured<Config{.scale = 7, .negate = true}>);

// More jumps and labels in a row than branches nest: returns of a helper, steps of a loop that are left out, one that
// ends it, and the labels of a switch.
#define TEGULA_TEN(of, k)                                                                                              \
  of(k) of(k + 1) of(k + 2) of(k + 3) of(k + 4) of(k + 5) of(k + 6) of(k + 7) of(k + 8) of(k + 9)
#define TEGULA_EIGHTY(of)                                                                                              \
  TEGULA_TEN(of, 0)                                                                                                    \
  TEGULA_TEN(of, 10)                                                                                                   \
  TEGULA_TEN(of, 20)                                                                                                   \
  TEGULA_TEN(of, 30) TEGULA_TEN(of, 40) TEGULA_TEN(of, 50) TEGULA_TEN(of, 60) TEGULA_TEN(of, 70)
inline int returned(int x) {
  int sum = 0;
#define TEGULA_RETURN(k)                                                                                               \
  sum += (k) * x;                                                                                                      \
  if (x == 3 * (k))                                                                                                    \
    return sum;
  TEGULA_EIGHTY(TEGULA_RETURN)
  return -sum;
}
inline int stepped(int x) {
  int sum = 0;
  for (int i = 0; i < x; ++i) {
#define TEGULA_CONTINUE(k)                                                                                             \
  if (i % 83 == (k))                                                                                                   \
    continue;                                                                                                          \
  sum += i + (k);
    TEGULA_EIGHTY(TEGULA_CONTINUE)
    const int last = 7 * i; // What follows stands where this is known.
#define TEGULA_BREAK(k)                                                                                                \
  if (last == 7 * (100 + 3 * (k)) && x % 80 == (k))                                                                    \
    break;
    TEGULA_EIGHTY(TEGULA_BREAK)
    sum += last;
  }
  return sum;
}
inline int switched(int x) {
  int sum = 5;
  switch (x) {
#define TEGULA_CASE(k)                                                                                                 \
  case 4 * (k):                                                                                                        \
  case 4 * (k) + 1:                                                                                                    \
    sum = (k) * (k);                                                                                                   \
    if (x % 3 == 0)                                                                                                    \
      break;                                                                                                           \
    sum += 1000;                                                                                                       \
    break;
    TEGULA_EIGHTY(TEGULA_CASE)
  case -9 ... - 7:
    return -1;
  default:
    sum += x;
  }
  return sum;
}
TEGULA_KERNEL tg::array<int, 2> many_jumps(tg::array<const int, 1> x) {
  auto o = tg::empty<int>(x.dim(0), 3);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto o) {
        const int value = x[tg::program_id(0)];
        o[0, 0] = returned(value);
        o[0, 1] = stepped(value);
        o[0, 2] = switched(value);
      },
      tg::out<1, 3>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}
