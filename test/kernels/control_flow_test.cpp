// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "control_flow.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

namespace {

buffer<std::int32_t, 1> numbers(std::int64_t n, int least, int most) {
  return make<std::int32_t, 1>(
      {n}, [=](std::int64_t) { return std::uniform_int_distribution<int>(least, most)(generator()); });
}

/// Integers that wrap.
struct Wrapping {
  std::uint32_t bits;
  Wrapping(std::int64_t value) : bits(static_cast<std::uint32_t>(value)) {}
  friend Wrapping operator+(Wrapping a, Wrapping b) { return std::int64_t{a.bits} + b.bits; }
  friend Wrapping operator*(Wrapping a, Wrapping b) {
    return static_cast<std::int64_t>(std::uint64_t{a.bits} * b.bits);
  }
  operator std::int32_t() const { return static_cast<std::int32_t>(bits); }
};

} // namespace

TEST(ControlFlow, WhileIfBreak) {
  constexpr int limit = 60;
  for (const auto n : odd_sizes) {
    const auto x = make<std::int64_t, 1>({n}, [](auto i) { return i + 1; });
    on_every_device([&](auto where) {
      expect_same("steps", collatz(x.to(where), limit), [&](auto i) {
        int steps = 0;
        for (auto value = x(i[0]); value != 1 && steps < limit; ++steps)
          value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        return steps;
      });
    });
  }
}

TEST(ControlFlow, ForContinue) {
  for (const auto n : odd_sizes) {
    const auto x = numbers(n, 0, 60);
    on_every_device([&](auto where) {
      expect_same("sum of divisors", divisors(x.to(where)), [&](auto i) {
        int sum = 0;
        for (int d = 1; d <= x(i[0]); ++d)
          sum += x(i[0]) % d == 0 ? d : 0;
        return sum;
      });
    });
  }
}

TEST(ControlFlow, EarlyReturns) {
  for (const auto n : odd_sizes) {
    const auto x = numbers(n, -20, 500), before = numbers(n, -20, 500);
    on_every_device([&](auto where) {
      auto o = before.to(where);
      roots(x.to(where), o);
      expect_same("root", o, [&](auto i) {
        return x(i[0]) < 0 ? before(i[0]) : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(x(i[0])))));
      });
    });
  }
}

TEST(ControlFlow, TilesAroundALoop) {
  for (const int steps : {0, 1, 2, 30})
    for (const auto n : odd_sizes) {
      const auto x = random<std::uint32_t, 1>({n}), y = random<std::uint32_t, 1>({n});
      on_every_device([&](auto where) {
        expect_same("fibonacci", fibonacci(x.to(where), y.to(where), steps), [&](auto i) {
          std::uint32_t a = x(i[0]), b = y(i[0]);
          for (int step = 0; step < steps; ++step) {
            const auto sum = a + b;
            a = b;
            b = sum;
          }
          return a;
        });
      });
    }
}

TEST(ControlFlow, Branches) {
  for (const int mode : {0, 1, 2, 3})
    for (const bool negate : {false, true})
      for (const auto n : odd_sizes) {
        // Quarters: all sums are exact.
        const auto x = make<float, 1>({n}, [](auto) { return static_cast<float>(generator()() % 100) / 4; });
        on_every_device([&](auto where) {
          expect_same("branch", branches(x.to(where), mode, negate), [&](auto i) {
            float t = x(i[0]);
            if (mode == 0)
              t *= 2;
            else if (mode == 1 && i[0] / 32 % 2 == 1)
              t += 1;
            else
              for (int a = 0; a < mode; ++a)
                for (int b = a; b < mode; ++b)
                  t += static_cast<float>(a * b);
            return negate ? -t : t;
          });
        });
      }
}

TEST(ControlFlow, ConformingTiles) {
  for (const int steps : {0, 1, 2, 5})
    for (const auto n : odd_sizes) {
      const auto x = numbers(n, -20, 500);
      on_every_device([&](auto where) {
        expect_same("sums", conforming(x.to(where), steps), [&](auto i) {
          const std::int64_t first = 64 * i[0], end = std::min(n, first + 64);
          std::int64_t sum = 0, extent = end - first;
          for (auto j = first; j < end; ++j)
            sum += x(j);
          return static_cast<int>(i[1] == 0   ? extent + steps * sum
                                  : i[1] == 1 ? (1 + steps) * extent + steps * (steps - 1) / 2 * sum
                                  : i[1] == 2 ? (steps > 1 ? sum : 2 * extent)
                                              : extent);
        });
      });
    }
}

TEST(ControlFlow, WindowsInALoop) {
  for (const int steps : {0, 1, 3})
    for (const auto n : odd_sizes) {
      const auto x = numbers(n, -20, 500);
      const std::int64_t start = n / 3 + 1, end = std::min(n, start + 64);
      on_every_device([&](auto where) {
        expect_same("sums", windows(x.to(where), steps, start - 1), [&](auto i) {
          std::int64_t part = 0, all = 0;
          for (std::int64_t j = 0; j < n; ++j) {
            all += x(j);
            part += j >= start && j < end ? x(j) : 0;
          }
          return static_cast<int>(i[0] == 0 ? steps * part : i[0] == 1 ? std::max<std::int64_t>(end - start, 0) : all);
        });
      });
    }
}

TEST(ControlFlow, Do) {
  for (const auto n : odd_sizes) {
    const auto x = numbers(n, -12345, 1234567);
    on_every_device([&](auto where) {
      expect_same("digits", digits(x.to(where)),
                  [&](auto i) { return static_cast<int>(std::to_string(std::abs(x(i[0]))).size()); });
    });
  }
}

TEST(ControlFlow, RecursionOverConstants) {
  for (const auto n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    on_every_device([&](auto where) {
      expect_same("polynomial", polynomial(x.to(where)), [&](auto i) -> std::int32_t {
        const Wrapping v = x(i[0]);
        Wrapping power = 1;
        for (int k = 0; k < 13; ++k)
          power = power * v;
        return power + (Wrapping(5) + v * (Wrapping(-3) + v * (Wrapping(2) + v * Wrapping(7))));
      });
    });
  }
}

TEST(ControlFlow, UnrolledLoops) {
  for (const auto n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    on_every_device([&](auto where) {
      expect_same("unrolled", unrolled(x.to(where)), [&](auto i) -> std::int32_t {
        // 5 - 3 + 2 + 7 times x, then t 2 + 0, t 4 + 1, t 8 + 2.
        const Wrapping t = Wrapping(11) * Wrapping(x(i[0]));
        return (t * Wrapping(2) * Wrapping(4) + Wrapping(1)) * Wrapping(8) + Wrapping(2);
      });
    });
  }
}

TEST(ControlFlow, StructsLambdasPacks) {
  for (const auto n : odd_sizes) {
    const auto x = numbers(n, -1000, 1000), y = numbers(n, -1000, 1000);
    on_every_device([&](auto where) {
      expect_same("structs", structs(x.to(where), y.to(where), 5), [&](auto i) {
        const int low = std::max(x(i[0]), y(i[0])), high = std::min(x(i[0]), y(i[0])); // exchanged
        const int first = 3 * low - high, second = high + 1;
        return (first + second + (low + 2) + high + low) * 5;
      });
    });
  }
}

TEST(ControlFlow, ConstantsOfConstexprCode) {
  for (const auto n : odd_sizes) {
    const auto x = numbers(n, -1000, 1000);
    on_every_device([&](auto where) {
      expect_same("3 x + 6", configured_3(x.to(where)), [&](auto i) { return 3 * x(i[0]) + 6; });
      expect_same("-(7 x + 28)", configured_7_negated(x.to(where)), [&](auto i) { return -(7 * x(i[0]) + 28); });
    });
  }
}

TEST(ControlFlow, Counters) {
  const auto x = make<int, 1>({20}, [](std::int64_t i) { return static_cast<int>(i); });
  on_every_device([&](auto where) {
    expect_same("sums", counters(x.to(where), {}), [&](auto i) {
      const std::int64_t n = i[1];
      std::int64_t sum = 0;
      for (std::int64_t k = i[0] == 1 || i[0] == 3 ? 1 : 0; k < n + (i[0] == 1 || i[0] == 3 ? 1 : 0); ++k)
        sum += i[0] == 0 ? (5 + 3 * k) * k : i[0] == 1 ? k : i[0] == 2 ? k * k : 2 * sum + (n + 1 - k);
      return sum;
    });
  });
}

TEST(ControlFlow, ManyJumps) {
  const auto x = make<int, 1>({360}, [](std::int64_t i) { return static_cast<int>(i) - 15; });
  const auto returned = [](int x) {
    int sum = 0;
    for (int k = 0; k < 80; ++k) {
      sum += k * x;
      if (x == 3 * k)
        return sum;
    }
    return -sum;
  };
  const auto stepped = [](int x) {
    int sum = 0;
    for (int i = 0; i < x; ++i) {
      const int skipped = i % 83;
      for (int k = 0; k < std::min(skipped, 80); ++k)
        sum += i + k;
      if (skipped < 80)
        continue;
      if (i == 100 + 3 * (x % 80))
        break;
      sum += 7 * i;
    }
    return sum;
  };
  const auto switched = [](int x) {
    if (x >= -9 && x <= -7)
      return -1;
    const int k = x / 4;
    return x >= 0 && k < 80 && x % 4 < 2 ? k * k + (x % 3 == 0 ? 0 : 1000) : 5 + x;
  };
  on_every_device([&](auto where) {
    expect_same("jumps", many_jumps(x.to(where)), [&](auto i) {
      const int value = x(i[0]);
      return i[1] == 0 ? returned(value) : i[1] == 1 ? stepped(value) : switched(value);
    });
  });
}
