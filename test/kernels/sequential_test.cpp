// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequential.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

/// Small whole numbers, of which sums are exact.
template <class T = float, int Rank> buffer<T, Rank> whole(const tegula::shape<Rank> &dims) {
  return make<T, Rank>(
      dims, [](auto) { return static_cast<T>(static_cast<float>(static_cast<int>(generator()() % 5) - 2)); });
}

TEST(Sequential, AccumulatesOutputs) {
  for (const std::int64_t rows : {1, 16, 37})
    for (const std::int64_t columns : {1, 32, 33, 1000}) {
      const auto x = whole<>(tegula::shape<2>{rows, columns});
      on_every_device([&](auto where) {
        expect_same("sums", add_columns(x.to(where)), [&](auto i) {
          float sum = 0;
          for (std::int64_t k = i[1]; k < columns; k += 32)
            sum += x(i[0], k);
          return sum;
        });
      });
    }
}

TEST(Sequential, PassesScratchOn) {
  for (const std::int64_t rows : {1, 7, 129})
    for (const std::int64_t columns : {1, 64, 127, 1000}) {
      const auto x = whole<>(tegula::shape<2>{rows, columns});
      on_every_device([&](auto where) {
        expect_same("running sums", running_sums(x.to(where)), [&](auto i) {
          float sum = 0;
          for (std::int64_t k = 0; k <= i[0]; ++k)
            sum += x(k, i[1]);
          return sum;
        });
      });
    }
}

TEST(Sequential, Products) {
  for (const std::int64_t m : {1, 129})
    for (const std::int64_t depth : {1, 64, 136}) {
      const std::int64_t n = 16;
      const auto x = whole<tegula::bf16>(tegula::shape<2>{m, depth}),
                 y = whole<tegula::bf16>(tegula::shape<2>{depth, n});
      on_every_device([&](auto where) {
        expect_same("product", product(x.to(where), y.to(where)), [&](auto i) {
          float sum = 0;
          for (std::int64_t k = 0; k < depth; ++k)
            sum += static_cast<float>(x(i[0], k)) * static_cast<float>(y(k, i[1]));
          return sum;
        });
      });
    }
}

TEST(Sequential, RunsInOrder) {
  for (const std::int64_t m : {0, 1, 3})
    for (const std::int64_t n : {1, 4}) {
      const auto before = make<std::int64_t, 1>({130}, [](auto i) { return 5 - i; });
      on_every_device([&](auto where) {
        auto o = before.to(where);
        in_order(o, m, n);
        expect_same("numbers", o, [&](auto i) {
          std::int64_t value = before(i[0]);
          for (std::int64_t step = 0; step < m * n; ++step)
            if (step % 3 != 2)
              value = 3 * value + step + i[0];
          return value;
        });
      });
    }
}

TEST(Sequential, GradientsOfWeights) {
  for (const std::int64_t rows : {1, 7, 130})
    for (const std::int64_t columns : {1, 127, 1000})
      for (const std::int64_t groups : {1, 3}) {
        const auto x = whole<>(tegula::shape<2>{rows, columns}), dy = whole<>(tegula::shape<2>{rows, columns});
        std::vector<float> sums;
        for (std::int64_t i = 0; i < rows; ++i) {
          sums.push_back(0);
          for (std::int64_t k = 0; k < columns; ++k)
            sums.back() += x(i, k) * dy(i, k);
        }
        on_every_device([&](auto where) {
          auto dx = poisoned<float, 2>({rows, columns}, where);
          const auto dw = weight_gradient(x.to(where), dy.to(where), dx, groups);
          expect_same("dw", dw, [&](auto i) {
            float sum = 0;
            for (std::int64_t k = 0; k < rows; ++k)
              sum += x(k, i[0]) * dy(k, i[0]);
            return sum;
          });
          expect_same("dx", dx, [&](auto i) { return dy(i[0], i[1]) - sums[static_cast<std::size_t>(i[0])]; });
        });
      }
}
