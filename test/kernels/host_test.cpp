// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

TEST(Host, ShapeArithmetic) {
  for (const auto &[rows, columns] : {std::pair(1, 1), std::pair(7, 129), std::pair(130, 3)})
    for (const std::int64_t a : {0, 100, -100})
      for (const int b : {7, -7}) {
        const auto x = random<float, 2>({rows, columns});
        on_every_device([&, rows = rows, columns = columns](auto where) {
          const std::int64_t expected[] = {rows * columns - a,
                                           a / b,
                                           a % b,
                                           -a,
                                           (rows + 7) / 8 * 4,
                                           rows * columns,
                                           rows > columns && a != 0 ? rows : columns,
                                           std::max(rows, columns) - std::min(rows, 3)};
          expect_same("values", shapes::arithmetic(x.to(where), a, b), [&](auto i) { return expected[i[0]]; });
        });
      }
}

TEST(Host, BranchesOnShapes) {
  for (const std::int64_t n : {0, 1, 7, 8, 100, 101, 1030}) {
    const auto x = make<std::int32_t, 1>({n}, [](auto) { return static_cast<std::int32_t>(generator()() % 1000); });
    on_every_device([&](auto where) {
      expect_same("chosen", choose(x.to(where)), [&](auto i) {
        return n > 100 ? 2 * x(i[0]) : n % 2 == 1 ? x(i[0]) + 1 : -x(i[0]);
      });
    });
  }
}

TEST(Host, LaunchesInALoop) {
  for (const int times : {0, 1, 5})
    for (const auto n : odd_sizes) {
      // Small whole numbers: exact.
      const auto before = make<float, 1>({n}, [](auto) { return static_cast<float>(generator()() % 16); });
      on_every_device([&](auto where) {
        auto x = before.to(where);
        repeat(x, times, 2.0);
        expect_same("x", x, [&](auto i) {
          float value = before(i[0]);
          for (int k = 0; k < times; ++k)
            value = 2 * (value + 1);
          return value;
        });
      });
    }
}

TEST(Host, SeveralResults) {
  for (const bool flip : {false, true})
    for (const auto n : odd_sizes) {
      const auto x = random<float, 1>({n}), y = random<float, 1>({n});
      on_every_device([&](auto where) {
        const auto r = several::inner::results(x.to(where), y.to(where), flip);
        expect_same("sum", r.sum, [&](auto i) { return x(i[0]) + y(i[0]); });
        expect_same("less", r.less, [&](auto i) { return (x(i[0]) < y(i[0])) != flip; });
        expect_same("count", r.count, [&](auto) { return n; });
      });
    }
}

TEST(Host, FunctionsThatLaunch) {
  for (const auto n : odd_sizes) {
    const auto x = make<float, 1>({n}, [](auto) { return static_cast<float>(generator()() % 64); });
    on_every_device([&](auto where) {
      expect_same("twice", twice(x.to(where), 3, 0.5F), [&](auto i) { return 0.5F * (3 * x(i[0]) + 0.5F) + 1; });
    });
  }
}

TEST(Host, NoArrayArgument) {
  for (const auto n : odd_sizes)
    on_every_device([&](auto where) {
      const auto o = constant(3, n, 1.25F, where);
      ASSERT_EQ(o.dims(), tegula::shape<2>(3, n));
      ASSERT_EQ(o.device(), where);
      expect_same("constant", o, [](auto) { return 1.25F; });
    });
}

TEST(Host, ManyArguments) {
  for (const auto n : odd_sizes) {
    std::vector<buffer<std::int32_t, 1>> arrays;
    for (int k = 0; k < 9; ++k)
      arrays.push_back(
          make<std::int32_t, 1>({n}, [](auto) { return static_cast<std::int32_t>(generator()() % 1000); }));
    on_every_device([&](auto where) {
      std::vector<buffer<std::int32_t, 1>> a;
      for (const auto &array : arrays)
        a.push_back(array.to(where));
      auto o = poisoned<std::int32_t, 1>({n}, where);
      many(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], 1, 2, 3, 4, 5, 6, 7, 8, 9, -10, o);
      expect_same("o", o, [&](auto i) {
        int sum = -10;
        for (int k = 0; k < 9; ++k)
          sum += (k + 1) * arrays[static_cast<std::size_t>(k)](i[0]);
        return sum;
      });
    });
  }
}

TEST(Host, ChecksComeBeforeLaunches) {
  on_every_device([&](auto where) {
    const auto x = random<float, 1>({3}).to(where), y = random<float, 1>({4}).to(where);
    try {
      (void)several::inner::results(x, y, false);
      ADD_FAILURE() << "arrays of different lengths are accepted";
    } catch (const tegula::error &refusal) {
      EXPECT_STREQ(refusal.what(), "several::inner::results: x and y differ in length");
    }
  });
}

TEST(Host, ArraysAreVariables) {
  for (const std::int64_t n : {1, 7, 129, 1000})
    for (const int times : {0, 1, 2, 5}) {
      const auto x = make<float, 1>({n}, [](auto) { return static_cast<float>(generator()() % 16); });
      on_every_device([&](auto where) {
        expect_same("ping-pong", variables::ping_pong(x.to(where), times), [&](auto i) {
          float value = x(i[0]);
          for (int k = 0; k < times; ++k)
            value = 2 * value + 1;
          return value;
        });
      });
    }
  for (const std::int64_t n : {1, 2, 64, 1024}) {
    const auto x = make<float, 1>({n}, [](auto) { return static_cast<float>(generator()() % 16); });
    float sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
      sum += x(i);
    on_every_device(
        [&](auto where) { expect_same("pyramid", variables::pyramid(x.to(where)), [&](auto) { return sum; }); });
  }
}

TEST(Host, ArraysFromEitherBranch) {
  for (const auto n : odd_sizes)
    for (const bool early : {false, true})
      for (const bool second : {false, true}) {
        const auto x = random<float, 1>({n});
        on_every_device([&](auto where) {
          expect_same("chosen", variables::either(x.to(where), early, second),
                      [&](auto i) { return early || !second ? x(i[0]) : 3 * x(i[0]); });
        });
      }
  const auto x = random<float, 1>({129});
  on_every_device([&](auto where) {
    const auto [a, b] = variables::both(x.to(where), false);
    expect_same("a", a, [&](auto i) { return x(i[0]); });
    expect_same("b", b, [&](auto i) { return -x(i[0]); });
    EXPECT_EQ(message_of([&] { static_cast<void>(variables::both(x.to(where), true)); }),
              "variables::both: returns the same array twice");
  });
}

TEST(Host, RunTimeSwitch) {
  const auto x = make<std::int32_t, 1>({129}, [](auto i) { return static_cast<std::int32_t>(i) - 60; });
  for (const int which : {0, 1, 2, 3, 7, -3}) {
    const int step = which == 0 ? 1 : which == 1 || which == 2 ? 110 : which == 7 ? 100 : -1;
    on_every_device([&](auto where) {
      expect_same("switched", switched(x.to(where), which), [&](auto i) {
        const int value = x(i[0]);
        return which == -3 ? -value : (value & 3) == 0 ? step : (value & 3) == 1 ? value : value * step;
      });
    });
  }
}

TEST(Host, Overloads) {
  const auto x = random<float, 1>({129});
  const auto y = random<double, 1>({129});
  on_every_device([&](auto where) {
    expect_same("float", overloaded(x.to(where)), [&](auto i) { return 2 * x(i[0]); });
    expect_same("double", overloaded(y.to(where)), [&](auto i) { return 3 * y(i[0]); });
    expect_same("sum", overloaded(x.to(where), 1.5f), [&](auto i) { return x(i[0]) + 1.5f; });
  });
}

TEST(Host, OptionalArrays) {
  for (const std::int64_t columns : {1, 129, 1000}) {
    const auto x = random<float, 2>({3, columns});
    const auto weight = random<float, 1>({columns}), bias = random<float, 1>({columns});
    const tegula::array<const float, 1> none;
    on_every_device([&](auto where) {
      const auto a = x.to(where);
      const auto w = weight.to(where), b = bias.to(where);
      expect_same("neither", optional::affine(a), [&](auto i) { return x(i[0], i[1]); });
      expect_same("weight", optional::affine(a, w), [&](auto i) { return x(i[0], i[1]) * weight(i[1]); });
      expect_same("bias", optional::affine(a, none, b, 2), [&](auto i) { return x(i[0], i[1]) * 2 + bias(i[1]); });
      expect_same("both", optional::affine(a, w, b), [&](auto i) { return x(i[0], i[1]) * weight(i[1]) + bias(i[1]); });
      expect_same("twice", optional::twice(a), [&](auto i) { return x(i[0], i[1]) * 2; });
      expect_same("twice", optional::twice(a, b), [&](auto i) { return x(i[0], i[1]) + bias(i[1]) + bias(i[1]); });
    });
  }
  EXPECT_EQ(message_of([] { return optional::affine(buffer<float, 2>::empty({2, 7}), random<float, 1>({6})); }),
            "optional::affine: weight has one for each column of x");
}

TEST(Host, OptionalArraysCaptured) {
  for (const std::int64_t columns : {1, 129, 1000}) {
    const auto x = random<float, 2>({3, columns});
    const auto order = make<std::int32_t, 1>({3}, [](auto i) { return static_cast<std::int32_t>(2 - i); });
    const auto weight = random<float, 1>({columns}), bias = random<float, 1>({columns});
    for (int given = 0; given < 16; ++given)
      on_every_device([&](auto where) {
        const bool has_order = given & 1, has_weight = given & 2, has_bias = given & 4, is_scaled = given & 8;
        const auto a = x.to(where);
        const auto i = order.to(where);
        const auto w = weight.to(where), b = bias.to(where);
        using floats = tegula::array<const float, 1>;
        using integers = tegula::array<const std::int32_t, 1>;
        const auto o = optional::captured(a, has_order ? integers(i) : integers(), has_weight ? floats(w) : floats(),
                                          has_bias ? floats(b) : floats(), is_scaled);
        expect_same("captured", o, [&](auto i) {
          const float value = x(has_order ? 2 - i[0] : i[0], i[1]);
          if (has_weight && is_scaled) {
            const float product = value * weight(i[1]); // Rounded before the bias is added.
            return has_bias ? product + bias(i[1]) : product;
          }
          return has_weight && has_bias   ? value + (weight(i[1]) - bias(i[1]))
                 : has_weight || has_bias ? value + 1
                                          : value;
        });
      });
  }
}

TEST(Host, ConstArraysAreVariables) {
  for (const int count : {0, 1, 3}) {
    const auto x = make<float, 1>({129}, [](auto) { return static_cast<float>(generator()() % 16); });
    on_every_device([&](auto where) {
      expect_same("layers", layers(x.to(where), count), [&](auto i) {
        float value = count == 0 ? 0 : x(i[0]);
        for (int k = 0; k < count; ++k)
          value = 2 * value + 1;
        return value;
      });
    });
  }
}
