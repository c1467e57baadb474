// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "indexing.h"

#include "support.h"

#include <tuple>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

template <class T, class Entry> void check_reverse(Entry entry) {
  for (const auto n : odd_sizes) {
    const auto x = random<T, 1>({n});
    on_every_device(
        [&](auto where) { expect_same("reversed", entry(x.to(where), {}), [&](auto i) { return x(n - 1 - i[0]); }); });
  }
}

std::int32_t negative(std::int32_t x) { return static_cast<std::int32_t>(0 - static_cast<std::uint32_t>(x)); }

} // namespace

TEST(Indexing, ScalarsAtRunTimeIndices) {
  check_reverse<bool>(reverse_bool);
  check_reverse<std::uint8_t>(reverse_u8);
  check_reverse<f16>(reverse_f16);
  check_reverse<bf16>(reverse_bf16);
  check_reverse<double>(reverse_f64);
}

TEST(Indexing, AtALoadedIndex) {
  const auto x = random<float, 2>({129, 7});
  for (const auto n : odd_sizes) {
    const auto rows = make<std::int32_t, 1>({n}, [](auto) { return static_cast<std::int32_t>(generator()() % 129); });
    on_every_device([&](auto where) {
      expect_same("gathered", gather(x.to(where), rows.to(where)), [&](auto i) { return x(rows(i[0]), 6); });
    });
  }
}

TEST(Indexing, ScalarsConvertAsInCpp) {
  for (const auto n : odd_sizes) {
    const auto x = random<bf16, 1>({n});
    on_every_device([&](auto where) {
      auto third = poisoned<bf16, 1>({n}, where);
      auto scaled = poisoned<std::int32_t, 1>({n}, where);
      convert_scalars(x.to(where), third, scaled);
      expect_same("third", third, [&](auto i) { return static_cast<bf16>(static_cast<float>(x(i[0])) / 3 + 0.5F); });
      expect_same("scaled", scaled,
                  [&](auto i) { return static_cast<std::int32_t>(100 * static_cast<float>(x(i[0]))); });
    });
  }
}

TEST(Indexing, Slices) {
  for (const std::int64_t n : {16, 17, 129, 1000})
    for (const std::int64_t skip : {std::int64_t{0}, std::int64_t{3}, n - 1, n}) {
      const auto x = random<std::int32_t, 1>({n});
      on_every_device([&](auto where) {
        auto first = poisoned<std::int32_t, 1>({16}, where), rest = poisoned<std::int32_t, 1>({n - skip}, where);
        slices(x.to(where), first, rest, skip);
        expect_same("first", first, [&](auto i) { return x(i[0]); });
        expect_same("rest", rest, [&](auto i) { return negative(x(i[0] + skip)); });
      });
    }
}

TEST(Indexing, ARow) {
  for (const std::int64_t columns : {1, 7, 129})
    for (const std::int64_t row : {0, 6}) {
      const auto before = random<std::int32_t, 2>({7, columns});
      on_every_device([&](auto where) {
        auto x = before.to(where);
        negate_row(x, row);
        expect_same("x", x, [&](auto i) { return i[0] == row ? negative(before(i[0], i[1])) : before(i[0], i[1]); });
      });
    }
}

TEST(Indexing, NewAxes) {
  for (const auto n : odd_sizes) {
    const auto x = random<float, 1>({n}), y = random<float, 1>({129});
    on_every_device([&](auto where) {
      const auto o = outer(x.to(where), y.to(where));
      ASSERT_EQ(o.dims(), tegula::shape<2>(n, 129));
      expect_same("outer", o, [&](auto i) { return x(i[0]) * y(i[1]); });
    });
  }
}

TEST(Indexing, PartsOfATile) {
  for (const std::int64_t rows : {0, 4, 8, 400}) {
    const auto x =
        make<std::int32_t, 2>({rows, 8}, [](auto) { return static_cast<std::int32_t>(generator()() % 1000); });
    on_every_device([&](auto where) {
      expect_same("parts", parts(x.to(where)), [&](auto i) {
        const auto block = i[0] / 4 * 4;
        const auto t = [&](std::int64_t row, std::int64_t column) { return x(row, column) + 1; };
        return i[1] < 4 ? t(i[0], 2) * t(block + 3, i[1]) + t(block + 1, 7)
                        : t(i[0], i[1]) - t(block + 3, i[1] - 4 + 1);
      });
    });
  }
}

TEST(Indexing, OneBehindTheOther) {
  for (const std::int64_t rows : {1, 5})
    for (const auto &[m, n, rest] :
         {std::tuple(0, 0, 1), std::tuple(0, 9, 0), std::tuple(1030, 3, 129), std::tuple(127, 2050, 1)}) {
      const auto x = random<float, 2>({rows, m}), y = random<float, 2>({rows, n});
      on_every_device([&, m = m, n = n, rest = rest](auto where) {
        const auto o = concatenate(x.to(where), y.to(where), rest);
        ASSERT_EQ(o.dims(), tegula::shape<2>(rows, m + n + rest));
        expect_same("concatenate", o, [&](auto i) {
          return i[1] < m ? x(i[0], i[1]) : i[1] < m + n ? y(i[0], i[1] - m) : 7.F;
        });
      });
    }
}

TEST(Indexing, InTurns) {
  for (const std::int64_t rows : {0, 1, 6})
    for (const auto columns : odd_sizes) {
      const auto x = random<float, 2>({rows, columns}), y = random<float, 2>({rows, columns});
      on_every_device([&](auto where) {
        const auto o = interleave(x.to(where), y.to(where));
        ASSERT_EQ(o.dims(), tegula::shape<2>(2 * rows, columns));
        expect_same("interleave", o, [&](auto i) { return i[0] % 2 == 0 ? x(i[0] / 2, i[1]) : y(i[0] / 2, i[1]); });
      });
    }
}

TEST(Indexing, AStaticOneStretches) {
  for (const auto &[rows, columns] : {std::pair(1, 1), std::pair(7, 129), std::pair(65, 256)}) {
    const auto column = random<float, 2>({rows, 1}), row = random<float, 2>({1, columns});
    on_every_device([&](auto where) {
      expect_same("column - row", stretch(column.to(where), row.to(where)),
                  [&](auto i) { return column(i[0], 0) - row(0, i[1]); });
    });
  }
}

TEST(Indexing, RankZero) {
  auto value = buffer<float, 0>::empty({});
  value() = 2.5F;
  for (const auto n : odd_sizes)
    on_every_device([&](auto where) {
      auto o = poisoned<float, 2>({3, n}, where);
      auto twice = poisoned<float, 0>({}, where);
      fill(value.to(where), o, twice);
      expect_same("o", o, [](auto) { return 2.5F; });
      expect_same("twice", twice, [](auto) { return 5.0F; });
    });
}

TEST(Indexing, TilesOutOfNothing) {
  for (const std::int64_t rows : {0, 1, 4, 7, 129}) {
    const auto x = random<std::int32_t, 2>({rows, 8});
    on_every_device([&](auto where) {
      expect_same("made", made(x.to(where)), [&](auto i) { return 100 + 10 * (i[0] % 4) + i[1]; });
    });
  }
}

TEST(Indexing, PartsOfBlocks) {
  using Wrapping = std::uint32_t;
  for (const std::int64_t length : {100, 250, 1099})
    for (const std::int64_t n : {0, 1, 31, 64, 97}) {
      const auto before = random<std::int32_t, 1>({length});
      auto after = before.to(tegula::device::cpu());
      auto sums = buffer<std::int32_t, 1>::empty({(length + 99) / 100});
      for (std::int64_t block = 0; block < sums.dim(0); ++block) {
        const std::int64_t first = 100 * block, size = std::min<std::int64_t>(100, length - first);
        const auto at = [&](std::int64_t i) -> std::int32_t & { return after(first + i); };
        Wrapping sum = 0;
        for (std::int64_t i = 1; i < 1 + n && i < size; ++i)
          sum += 8 * static_cast<Wrapping>(at(i));
        sums(block) = static_cast<std::int32_t>(sum);
        for (std::int64_t k = 0; k < 3; ++k)
          for (std::int64_t i = k; i < k + n && i < size; ++i)
            at(i) = static_cast<std::int32_t>(3 * static_cast<Wrapping>(at(i)) + static_cast<Wrapping>(k));
        for (std::int64_t i = n; i < size; ++i)
          at(i) = negative(at(i));
      }
      on_every_device([&](auto where) {
        auto x = before.to(where);
        expect_same("sums", parts_of_blocks(x, n), [&](auto i) { return sums(i[0]); });
        expect_same("x", x, [&](auto i) { return after(i[0]); });
      });
    }
}

TEST(Indexing, PartOfRows) {
  for (const std::int64_t rows : {1, 8, 129})
    for (const std::int64_t n : {1, 5, 32, 48}) {
      const auto before = make<std::int32_t, 2>({rows, 48}, [](auto) { return std::int32_t(generator()() % 1000); });
      on_every_device([&](auto where) {
        auto x = before.to(where);
        part_of_rows(x, n);
        expect_same("x", x, [&](auto i) {
          std::int32_t most = before(i[0], 0);
          for (std::int64_t j = 1; j < n; ++j)
            most = std::max(most, before(i[0], j));
          return i[1] < n ? before(i[0], i[1]) - most : before(i[0], i[1]);
        });
      });
    }
}

TEST(Indexing, ProductOfPart) {
  for (const std::int64_t n : {0, 1, 13, 32}) {
    const auto x = make<std::int32_t, 2>({32, 48}, [](auto) { return std::int32_t(generator()() % 100); });
    on_every_device([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({32, 32}, where);
      product_of_part(x.to(where), o, n);
      expect_same("o", o, [&](auto i) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < 48; ++k)
          sum += x(i[0], k) * x(i[1], k);
        return i[0] < n && i[1] < n ? sum : 7;
      });
    });
  }
}
