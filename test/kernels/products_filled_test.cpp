// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products_filled.h"

#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::f16;

namespace {

/// How large each array is; TMA copies rows of a multiple of 16 bytes.
struct Filled {
  std::int64_t a_rows, a_columns, b_rows, b_columns, c_rows, c_columns;
};
const std::vector<Filled> sizes = {{128, 64, 64, 128, 128, 128}, {100, 72, 72, 136, 100, 136},  // what fits
                                   {40, 64, 64, 40, 130, 200},   {300, 24, 200, 264, 320, 300}, // larger results
                                   {200, 200, 24, 80, 64, 64},   {1, 8, 136, 8, 129, 257},      // and smaller ones
                                   {65, 33, 31, 129, 70, 131},   {7, 5, 9, 3, 8, 4}};           // without TMA

template <class T, class Entry> void check_filled(Entry entry, bool turns) {
  for (const Filled &of : sizes) {
    SCOPED_TRACE(describe(of.a_rows, of.b_columns, of.a_columns) + " by " + std::to_string(of.b_rows));
    const auto a = small_integers<T>(of.a_rows, of.a_columns), b = small_integers<T>(of.b_rows, of.b_columns);
    const std::int64_t depth = std::max(of.a_columns, of.b_rows), shared = std::min(of.a_columns, of.b_rows);
    on_every_device([&](auto where) {
      auto c = poisoned<float, 2>({of.c_rows, of.c_columns}, where);
      entry(a.to(where), transposed(b, turns).to(where), c, depth, {});
      expect_same("c", c, [&](auto at) {
        float sum = 0;
        for (std::int64_t k = 0; at[0] < of.a_rows && at[1] < of.b_columns && k < shared; ++k)
          sum += static_cast<float>(a(at[0], k)) * static_cast<float>(b(k, at[1]));
        return sum;
      });
    });
  }
}

} // namespace

TEST(ProductsFilled, WithZeros) { check_filled<bf16>(filled_bf16, false); }
TEST(ProductsFilled, Turned) { check_filled<f16>(filled_f16_turned, true); }
