// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_layouts.h"

#include "hopper.h"
#include "matrices.h"

using namespace tegula::test;
using tegula::bf16;

namespace {

template <class T>
using entry_of = void (*)(const tegula::array<const T, 2> &, const tegula::array<T, 3> &, const tegula::stream &);

template <class T> void check(entry_of<T> entry, std::int64_t m, std::int64_t n) {
  SCOPED_TRACE("a tile of " + std::to_string(m) + " x " + std::to_string(n));
  const auto x = matrix<T>(m, n);
  everywhere([&](auto where) {
    auto o = poisoned<T, 3>({5, m, n}, where);
    entry(x.to(where), o, {});
    expect_same("x, or x + 1", o, [&](auto i) {
      const T value = x(i[1], i[2]);
      return i[0] == 1 || i[0] == 3
                 ? static_cast<T>(static_cast<std::conditional_t<std::is_integral_v<T>, std::uint32_t, T>>(value) + 1)
                 : value;
    });
  });
}

} // namespace

TEST(HopperLayouts, ThereAndBack) {
  check<float>(wgmma_f32, 64, 40);
  check<std::int8_t>(wgmma_8bit_s8, 128, 48);
  check<std::int8_t>(upcast_2x_s8, 64, 32);
  check<std::int8_t>(upcast_4x_s8, 64, 64);
  check<std::int32_t>(transposed_s32, 64, 24);
  check<float>(mma_lhs_f32, 64, 16);
  check<std::int32_t>(mma_rhs_s32, 32, 24);
  check<std::int32_t>(mma_acc_s32, 128, 32);
  check<std::int32_t>(strided_s32, 32, 48);
  check<float>(copied_f32, 32, 64);
  check<std::int8_t>(copied_64_s8, 64, 128);
}

TEST(HopperLayouts, OfTilings) {
  check<float>(rows_of_lanes_f32, 128, 40);
  check<std::int8_t>(columns_of_warps_s8, 32, 64);
  check<std::int32_t>(copied_rows_s32, 32, 48);
  check<float>(down_columns_f32, 64, 16);
}

TEST(HopperLayouts, OfWhatReductionsLeaveOfTilings) {
  // Small integers: sums are exact in any order.
  const auto small = [](std::int64_t i) { return static_cast<float>(i * 7 % 11 - 5); };
  const auto x = make<float, 2>({64, 32}, small);
  const auto rows = make<float, 1>({64}, small), columns = make<float, 1>({32}, small);
  const auto scaled = [&](std::int64_t i, std::int64_t j) { return x(i, j) * rows(i) + columns(j); };
  for (const auto entry : {scaled_rows_of_lanes, scaled_copied_rows, scaled_down_columns})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 32}, where);
      auto sums = poisoned<float, 1>({64}, where);
      entry(x.to(where), rows.to(where), columns.to(where), o, sums, {});
      expect_same("scaled", o, [&](auto i) { return scaled(i[0], i[1]); });
      expect_same("sums", sums, [&](auto i) {
        float sum = 0;
        for (std::int64_t j = 0; j < 32; ++j)
          sum += scaled(i[0], j);
        return sum;
      });
    });
}

TEST(HopperLayouts, WidenedForTheTensorCore) {
  const auto a = matrix<std::int8_t>(64, 64);
  const auto b = matrix<bf16>(64, 48);
  const auto ab = reference_of(exact(a), exact(b));
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({64, 48}, where);
    widened(a.to(where), b.to(where), o);
    expect_product<bf16>(o, ab);
  });
}

TEST(HopperLayouts, OfWhatReductionsLeave) {
  const auto a = matrix<bf16>(64, 64), b = matrix<bf16>(64, 64);
  const auto rows = random<float, 1>({64}), columns = random<float, 1>({64});
  const auto ab = reference_of(exact(a), exact(b));
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({64, 64}, where);
    auto sums = poisoned<float, 1>({64}, where);
    scaled(a.to(where), b.to(where), rows.to(where), columns.to(where), o, sums);
    const auto near = [&](std::int64_t i, std::int64_t j) {
      const double scale = wide(rows(i)), added = wide(columns(j)), value = ab.values(i, j) * scale + added;
      return Near<float>{value, std::abs(scale) * tensor_core_error<bf16, float>(64, ab.largest(i, j)) +
                                    0x1p-22 * (std::abs(ab.values(i, j) * scale) + std::abs(added))};
    };
    expect_agrees("scaled", o, [&](auto i) { return near(i[0], i[1]); });
    expect_agrees("sums", sums, [&](auto i) {
      Near<float> sum{0, 0};
      for (std::int64_t j = 0; j < 64; ++j) {
        const auto each = near(i[0], j);
        sum.value += each.value;
        sum.error += each.error + 64 * 0x1p-24 * std::abs(each.value);
      }
      return sum;
    });
  });
}
