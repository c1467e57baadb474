// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "extents.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

/// Small whole numbers, of which sums are exact.
template <int Rank> buffer<float, Rank> whole(const tegula::shape<Rank> &dims) {
  return make<float, Rank>(dims, [](auto) { return static_cast<float>(static_cast<int>(generator()() % 9) - 4); });
}

TEST(Extents, TilesOutOfNothing) {
  for (const std::int64_t rows : {1, 7, 129})
    for (const int columns : {1, 33, 1000})
      for (const auto where : devices())
        expect_same("numbered", numbered(rows, columns, -5, where),
                    [](auto i) { return static_cast<int>(10 * i[0] + i[1] - 5); });
}

TEST(Extents, Halves) {
  for (const std::int64_t rows : {1, 3})
    for (const std::int64_t columns : {2, 34, 256, 1000, 4098}) {
      const auto x = random<float, 2>({rows, columns});
      const auto half = columns / 2;
      on_every_device([&](auto where) {
        expect_same("rotated", rotate_halves(x.to(where)), [&](auto i) {
          return i[1] < half ? x(i[0], i[1]) - x(i[0], i[1] + half) : x(i[0], i[1] - half) + x(i[0], i[1]);
        });
      });
    }
  EXPECT_EQ(message_of([] { return rotate_halves(buffer<float, 2>::empty({2, 7})); }),
            "rotate_halves: rows have two halves");
}

TEST(Extents, HalvesByWhatIsLeft) {
  for (const std::int64_t n : {4, 28, 1000, 10000}) {
    const auto x = random<float, 1>({n});
    on_every_device([&](auto where) {
      auto o = poisoned<float, 1>({n / 2}, where);
      add_halves(x.to(where), o);
      expect_same("halves", o, [&](auto i) { return x(i[0]) + x(n / 2 + i[0]); });
    });
  }
}

TEST(Extents, HalvesAndThirds) {
  for (const std::int64_t n : {6, 36, 1002, 12000}) {
    const auto x = whole<1>({n});
    float most = x(0) - x(2 * n / 3);
    for (std::int64_t i = 1; i < n / 3; ++i)
      most = std::max(most, x(i) - x(2 * n / 3 + i));
    on_every_device([&](auto where) {
      auto o = poisoned<float, 1>({n / 2}, where);
      add_halves_and_thirds(x.to(where), o);
      expect_same("halves and thirds", o, [&](auto i) { return x(i[0]) + x(n / 2 + i[0]) + most; });
    });
  }
}

TEST(Extents, PartsMoved) {
  for (const std::int64_t n : {1, 7, 129, 5000})
    for (const int start : {0, static_cast<int>(n) / 2, static_cast<int>(n)})
      for (const int size : {0, 1, 64, 6000}) {
        const auto x = random<float, 1>({n});
        const auto before = random<float, 1>({n + 3});
        const auto moved = std::min<std::int64_t>(size, n - start);
        on_every_device([&](auto where) {
          auto o = before.to(where);
          move_to_front(x.to(where), o, start, size);
          expect_same("moved", o, [&](auto i) { return i[0] < moved ? x(start + i[0]) : before(i[0]); });
        });
      }
}

TEST(Extents, Thirds) {
  for (const std::int64_t n : {3, 7, 127, 129, 1000, 5000}) {
    const auto x = random<float, 1>({n});
    on_every_device([&](auto where) {
      expect_same("thirds", add_thirds(x.to(where)), [&](auto i) { return x(i[0]) + x(n - n / 3 + i[0]); });
    });
  }
}

TEST(Extents, TwiceAsLong) {
  for (const std::int64_t n : {1, 7, 129, 1000}) {
    const auto x = whole<1>({2 * n}), y = whole<1>({n});
    on_every_device([&](auto where) {
      expect_same("gated", gate(x.to(where), y.to(where)), [&](auto i) { return x(i[0]) * x(n + i[0]) + y(i[0]); });
    });
  }
}

TEST(Extents, RaggedRows) {
  for (const std::int64_t columns : {1, 33, 1000}) {
    const std::int64_t rows = 6;
    const auto x = whole<2>({rows, columns});
    const int lengths[] = {0, 1, 7, static_cast<int>(columns) - 1, static_cast<int>(columns), 5000};
    const auto n = make<std::int32_t, 1>({rows}, [&](auto i) { return lengths[i]; });
    on_every_device([&](auto where) {
      expect_same("sums", ragged(x.to(where), n.to(where)), [&](auto i) {
        float sum = 0;
        for (std::int64_t j = 0; j < std::min<std::int64_t>(lengths[i[0]], columns); ++j)
          sum += x(i[0], j) * (i[1] == 0 ? static_cast<float>(j) : 2);
        return sum;
      });
    });
  }
}

TEST(Extents, StaticMeetsChecked) {
  const auto x = random<float, 2>({48, 48});
  const auto bias = random<float, 1>({48});
  on_every_device([&](auto where) {
    expect_same("sums", fixed(x.to(where), bias.to(where)),
                [&](auto i) { return x(i[0], i[1]) + bias(i[1]) + static_cast<float>(i[0]); });
  });
  EXPECT_EQ(message_of([&] { return fixed(buffer<float, 2>::empty({48, 47}), bias); }), "fixed: x is 48 x 48, bias 48");
}

TEST(Extents, StaticWindows) {
  for (const std::int64_t n : {1, 39, 40, 41, 1000}) {
    const auto x = whole<1>({n});
    on_every_device([&](auto where) {
      expect_same("head", head(x.to(where)), [&](auto i) { return i[0] < n ? x(i[0]) : -1.0f; });
      expect_same("fold", fold(x.to(where)), [&](auto i) {
        float sum = 0;
        for (std::int64_t k = i[0]; k < n; k += 32)
          sum += x(k);
        return sum;
      });
    });
  }
}

TEST(Extents, BatchesOfProducts) {
  for (const std::int64_t m : {1, 7, 65})
    for (const std::int64_t depth : {1, 33}) {
      const std::int64_t batch = 3, n = 17;
      const auto x = whole<3>({batch, m, depth}), y = whole<3>({2, depth, n});
      const auto one_x = whole<2>({m, depth}), one_y = whole<2>({depth, n});
      auto sum = [&](auto a, auto b) {
        float total = 0;
        for (std::int64_t k = 0; k < depth; ++k)
          total += a(k) * b(k);
        return total;
      };
      on_every_device([&](auto where) {
        expect_same("one right", product_of_one_right(x.to(where), one_y.to(where)), [&](auto i) {
          return sum([&](auto k) { return x(i[0], i[1], k); }, [&](auto k) { return one_y(k, i[2]); });
        });
        expect_same("one left", product_of_one_left(one_x.to(where), y.to(where)), [&](auto i) {
          return sum([&](auto k) { return one_x(i[1], k); }, [&](auto k) { return y(i[0], k, i[2]); });
        });
        expect_same("both", product_of_both(x.to(where), y.to(where)), [&](auto i) {
          return sum([&](auto k) { return x(i[0], i[2], k); }, [&](auto k) { return y(i[1], k, i[3]); });
        });
      });
    }
}

TEST(Extents, SumsAndQuotientsThatCancel) {
  for (const std::int64_t n : {1, 7, 127, 129, 5000}) {
    const auto x = whole<1>({n + 1}), four = whole<1>({4 * n});
    on_every_device([&](auto where) {
      auto o = poisoned<float, 1>({n}, where);
      differences(x.to(where), o);
      expect_same("differences", o, [&](auto i) { return x(i[0] + 1) - x(i[0]); });
      add_quarters(four.to(where), o);
      expect_same("quarters", o, [&](auto i) { return four(i[0]) + four(3 * n + i[0]); });
    });
    for (const std::int64_t taps : {1, 3, 7}) {
      const auto longer = whole<1>({n + taps - 1});
      on_every_device([&](auto where) {
        auto o = poisoned<float, 1>({n}, where);
        moving_sums(longer.to(where), o, static_cast<int>(taps));
        expect_same("moving sums", o, [&](auto i) {
          float sum = 0;
          for (std::int64_t k = 0; k < taps; ++k)
            sum += longer(i[0] + k);
          return sum;
        });
      });
      if (taps > n + 1)
        continue;
      const auto filter = whole<1>({taps});
      on_every_device([&](auto where) {
        expect_same("correlated", correlate(x.to(where), filter.to(where)), [&](auto i) {
          float sum = 0;
          for (std::int64_t k = 0; k < taps; ++k)
            sum += filter(k) * x(i[0] + k);
          return sum;
        });
      });
    }
  }
}
