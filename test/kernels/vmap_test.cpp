// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vmap.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

namespace {
const std::vector<tegula::shape<2>> shapes = {{0, 5}, {5, 0}, {1, 1}, {3, 16}, {7, 127}, {33, 129}};
} // namespace

TEST(Vmap, OfOne) {
  for (const auto &[batch, n] : {std::pair(0, 5), std::pair(5, 0), std::pair(1, 1), std::pair(7, 127)}) {
    const auto x = random<float, 2>({batch, n});
    const auto y = random<float, 1>({n});
    on_every_device([&](auto where) {
      expect_same("a x + y", axpy_one(0.5F, x.to(where), y.to(where)),
                  [&](auto i) { return 0.5F * x(i[0], i[1]) + y(i[1]); });
    });
  }
}

TEST(Vmap, OfTwoAlongDifferentAxes) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims), y = random<float, 2>({dims[1], dims[0]});
    on_every_device([&](auto where) {
      const auto o = axpy_columns(2.0F, x.to(where), y.to(where));
      ASSERT_TRUE(o.dims() == dims);
      expect_same("a x + y", o, [&](auto i) { return 2 * x(i[0], i[1]) + y(i[1], i[0]); });
    });
  }
}

TEST(Vmap, OfThree) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 1), tegula::shape<3>(7, 0, 3), tegula::shape<3>(5, 33, 7)}) {
    const auto x = random<std::int32_t>(dims);
    const auto y = random<std::int32_t, 2>({dims[1], dims[2]});
    const auto z = random<std::int32_t, 1>({dims[2]});
    on_every_device([&](auto where) {
      const auto o = fused(x.to(where), y.to(where), z.to(where));
      ASSERT_TRUE(o.dims() == (tegula::shape<3>{dims[0], dims[2], dims[1]}));
      expect_same("x y - z", o, [&](auto i) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x(i[0], i[2], i[1])) *
                                             static_cast<std::uint32_t>(y(i[2], i[1])) -
                                         static_cast<std::uint32_t>(z(i[1])));
      });
    });
  }
}

TEST(Vmap, OfReductionsNested) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 1), tegula::shape<3>(2, 3, 0), tegula::shape<3>(5, 129, 3)}) {
    const auto x = random<float>(dims);
    on_every_device([&](auto where) {
      const auto o = softmax_middle(x.to(where));
      ASSERT_TRUE(o.dims() == dims);
      expect_agrees("softmax", o, [&](auto i) {
        double most = -1e300, least = 1e300, total = 0;
        for (std::int64_t k = 0; k < dims[1]; ++k) {
          most = std::max(most, wide(x(i[0], k, i[2])));
          least = std::min(least, wide(x(i[0], k, i[2])));
        }
        for (std::int64_t k = 0; k < dims[1]; ++k)
          total += std::exp(wide(x(i[0], k, i[2])) - most);
        const double value = std::exp(wide(x(i[0], i[1], i[2])) - most) / total;
        return Near<float>{value, softmax_error<float>(dims[1], most - least) * value};
      });
    });
  }
}

TEST(Vmap, OfProducts) {
  for (const auto &[batch, m, k] : {std::tuple(1, 1, 1), std::tuple(0, 2, 3), std::tuple(3, 33, 65)}) {
    const auto xs = random<float, 3>({batch, m, k});
    const auto y = random<float, 2>({k, 9});
    on_every_device([&, k = k](auto where) {
      expect_agrees("xs[b] y", batched_matmul(xs.to(where), y.to(where)), [&](auto i) {
        return inner_product<float>(k, [&](auto p) { return xs(i[0], i[1], p); }, [&](auto p) { return y(p, i[2]); });
      });
    });
  }
}

TEST(Vmap, OfAllPairs) {
  const auto xs = random<float, 3>({3, 7, 33}), ys = random<float, 3>({33, 9, 4});
  on_every_device([&](auto where) {
    const auto zs = all_pairs(xs.to(where), ys.to(where));
    ASSERT_TRUE(zs.dims() == (tegula::shape<4>{3, 7, 4, 9}));
    expect_agrees("xs[b] ys[:, :, c]", zs, [&](auto i) {
      return inner_product<float>(
          33, [&](auto p) { return xs(i[0], i[1], p); }, [&](auto p) { return ys(p, i[3], i[2]); });
    });
  });
}

TEST(Vmap, InPlace) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims);
    const auto factors = random<float, 1>({dims[1]});
    on_every_device([&](auto where) {
      auto o = x.to(where);
      scale_columns(o, factors.to(where), 3.0F, {});
      expect_same("3 factor x", o, [&](auto i) { return x(i[0], i[1]) * (3.0F * factors(i[1])); });
    });
  }
}

TEST(Vmap, OfSlicesOfSlices) {
  for (const auto &dims : shapes) {
    const auto x = random<std::int32_t>(dims);
    on_every_device([&](auto where) {
      const auto o = outer_products(x.to(where));
      ASSERT_TRUE(o.dims() == (tegula::shape<3>{dims[0], dims[1], dims[1]}));
      expect_same("x x", o, [&](auto i) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x(i[0], i[1])) *
                                         static_cast<std::uint32_t>(x(i[0], i[2])));
      });
    });
  }
}

TEST(Vmap, RefusesBatchesOfDifferentSizes) {
  const auto x = random<float, 2>({5, 3}), y = random<float, 2>({4, 5});
  EXPECT_THROW(static_cast<void>(axpy_columns(1.0F, x, y)), tegula::error);
  // The checks inside are made, too: of one slice.
  EXPECT_THROW(static_cast<void>(axpy_one(1.0F, x, random<float, 1>({4}))), tegula::error);
}

TEST(Vmap, OfStructs) {
  for (const auto &dims : shapes) {
    // Small whole numbers: sums are exact.
    const auto x = make<float>(dims, [](auto) { return static_cast<float>(generator()() % 8); });
    on_every_device([&](auto where) {
      const auto [sums, squares, count] = pairs::of_columns(x.to(where));
      EXPECT_EQ(count, dims[0]);
      auto expected = [&](std::int64_t column, bool squared) {
        float sum = 0;
        for (std::int64_t i = 0; i < dims[0]; ++i)
          sum += squared ? x(i, column) * x(i, column) : x(i, column);
        return sum;
      };
      expect_same("sums", sums, [&](auto i) { return expected(i[0], false); });
      expect_same("squares", squares, [&](auto i) { return expected(i[0], true); });
      const auto of_rows = pairs::of_rows(x.to(where));
      expect_same("sums of rows", of_rows.sums, [&](auto i) {
        float sum = 0;
        for (std::int64_t k = 0; k < dims[1]; ++k)
          sum += x(i[0], k);
        return sum;
      });
    });
  }
}

TEST(Vmap, OverArraysThatAreLeftOut) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims), biases = random<float, 2>({dims[1], dims[0]});
    const auto bias = random<float, 1>({dims[1]});
    on_every_device([&](auto where) {
      const auto there = x.to(where);
      auto negative = [&](auto i) { return -x(i[0], i[1]); };
      expect_same("columns alone", shift_columns(there), negative);
      expect_same("rows alone", shift_rows(there), negative);
      expect_same("columns", shift_columns(there, biases.to(where)),
                  [&](auto i) { return x(i[0], i[1]) + biases(i[1], i[0]); });
      expect_same("rows", shift_rows(there, bias.to(where)), [&](auto i) { return x(i[0], i[1]) + bias(i[1]); });
    });
  }
  const auto x = random<float, 2>({5, 3});
  EXPECT_EQ(message_of([&] { return shift_columns(x, random<float, 2>({4, 5})); }),
            "shift_columns: x.dim(1) and biases.dim(0) differ, 3 and 4, but tg::vmap maps over both");
}
