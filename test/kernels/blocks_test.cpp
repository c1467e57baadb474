// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blocks.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;

namespace {

/// Shapes with no element, smaller than a block, of whole blocks, and with edges in one dimension or in both.
const std::vector<tegula::shape<2>> shapes = {{0, 5},   {5, 0},    {1, 1},    {7, 31},    {8, 32},  {9, 33},
                                              {16, 31}, {17, 128}, {64, 512}, {127, 129}, {65, 513}};

template <class Entry> void check_static_blocks(Entry entry, std::int64_t columns) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims);
    on_every_device([&](auto where) {
      expect_same("2 x + the column within the block", entry(x.to(where), {}),
                  [&](auto i) { return 2 * x(i[0], i[1]) + static_cast<float>(i[1] % columns); });
    });
  }
}

} // namespace

TEST(Blocks, StaticWithEdges) {
  check_static_blocks(static_blocks_8_32, 32);
  check_static_blocks(static_blocks_3_5, 5);
  check_static_blocks(static_blocks_1_1, 1);
  check_static_blocks(static_blocks_64_512, 512);
}

TEST(Blocks, RunTime) {
  for (const auto &dims : shapes)
    for (const auto &[rows, columns] : {std::pair(1, 1), std::pair(3, 70), std::pair(8, 32), std::pair(1000, 1000)}) {
      const auto x = random<float>(dims);
      on_every_device([&](auto where) {
        expect_same("3 x", run_time_blocks(x.to(where), rows, columns), [&](auto i) { return 3 * x(i[0], i[1]); });
      });
    }
}

TEST(Blocks, SqueezedRows) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims);
    const auto weight = random<float, 1>({dims[1]});
    on_every_device([&](auto where) {
      expect_same("x weight", squeezed_rows(x.to(where), weight.to(where)),
                  [&](auto i) { return x(i[0], i[1]) * weight(i[1]); });
    });
  }
}

TEST(Blocks, SqueezedAroundAWholeDimension) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 1), tegula::shape<3>(7, 0, 3), tegula::shape<3>(5, 129, 7)}) {
    const auto x = random<std::int32_t>(dims);
    on_every_device([&](auto where) {
      expect_same("x + 1", squeezed_pencils(x.to(where)), [&](auto i) { return x(i[0], i[1], i[2]) + 1; });
    });
  }
}

TEST(Blocks, InReverseOrder) {
  for (const std::int64_t n : {0, 16, 32, 1024}) {
    const auto x = random<std::int32_t, 1>({n});
    on_every_device([&](auto where) {
      expect_same("x", reversed_blocks(x.to(where)),
                  [&](auto i) { return x((n / 16 - 1 - i[0] / 16) * 16 + i[0] % 16); });
    });
  }
}

TEST(Blocks, ThatOverlap) {
  for (const std::int64_t n : {2, 3, 9, 129, 1001}) {
    const auto x = random<float, 1>({n});
    on_every_device([&](auto where) {
      expect_same("sum of three", sliding_sum(x.to(where)),
                  [&](auto i) { return x(i[0]) + x(i[0] + 1) + x(i[0] + 2); });
    });
  }
}

TEST(Blocks, SeenByAllPrograms) {
  const auto x = random<float, 2>({65, 129}), rows = random<float, 2>({3, 129});
  for (const int row : {0, 2})
    on_every_device([&](auto where) {
      expect_same("x + row", add_row(x.to(where), rows.to(where), row),
                  [&](auto i) { return x(i[0], i[1]) + rows(row, i[1]); });
    });
}

TEST(Blocks, ExtentsAreWhatIsInside) {
  for (const std::int64_t n : {0, 1, 7, 127, 128, 129})
    for (const std::int64_t size : {1, 8, 1000}) {
      const auto x = random<float, 1>({n});
      on_every_device([&](auto where) {
        const auto o = extents(x.to(where), size);
        ASSERT_EQ(o.dim(0), (n + size - 1) / size);
        expect_same("extents", o, [&](auto i) {
          return i[1] == 0 ? std::min(size, n - i[0] * size) : i[1] == 1 ? n : std::int64_t{3};
        });
      });
    }
}

TEST(Blocks, InPlace) {
  for (const auto n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    on_every_device([&](auto where) {
      auto o = x.to(where);
      increment(o, -3);
      expect_same("x - 3", o,
                  [&](auto i) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x(i[0])) - 3); });
    });
  }
}
