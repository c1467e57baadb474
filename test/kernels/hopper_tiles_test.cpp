// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_tiles.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::f16;

namespace {
/// The sum, the greatest and the least of these elements.
template <class T, class Element> std::array<T, 3> reductions_of(std::int64_t count, Element element) {
  float sum = 0, greatest = static_cast<float>(element(0)), least = greatest;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(element(i));
    sum += value;
    greatest = std::max(greatest, value);
    least = std::min(least, value);
  }
  return {static_cast<T>(sum), static_cast<T>(greatest), static_cast<T>(least)};
}

template <class T, class Call> void check_reduced(Call call) {
  const auto x = small_numbers<T, 2>({128, 64});
  everywhere([&](auto where) {
    auto rows = poisoned<T, 2>({3, 128}, where), columns = poisoned<T, 2>({3, 64}, where);
    auto all = poisoned<T, 1>({3}, where);
    call(x.to(where), rows, columns, all);
    const auto kind = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    expect_same("rows", rows,
                [&](auto i) { return reductions_of<T>(64, [&](std::int64_t n) { return x(i[1], n); })[kind(i[0])]; });
    expect_same("columns", columns,
                [&](auto i) { return reductions_of<T>(128, [&](std::int64_t m) { return x(m, i[1]); })[kind(i[0])]; });
    expect_same("all", all, [&](auto i) {
      return reductions_of<T>(128 * 64, [&](std::int64_t e) { return x(e / 64, e % 64); })[kind(i[0])];
    });
  });
}

template <class T, class Call> void check_numbered(Call call) {
  everywhere([&](auto where) {
    auto o = poisoned<T, 3>({2, 128, 128}, where);
    call(o);
    expect_same("indices", o, [&](auto i) { return static_cast<T>(static_cast<float>(i[0] == 0 ? i[1] : i[2])); });
  });
}

} // namespace

TEST(HopperTiles, Reductions) {
  check_reduced<float>([](auto &&...all) { reduced_wgmma_f32(all...); });
  check_reduced<std::int32_t>([](auto &&...all) { reduced_wgmma_s32(all...); });
  check_reduced<std::uint32_t>([](auto &&...all) { reduced_wgmma_8bit_u32(all...); });
  check_reduced<f16>([](auto &&...all) { reduced_transposed_f16(all...); });
  check_reduced<std::int16_t>([](auto &&...all) { reduced_mma_acc_s16(all...); });
  check_reduced<std::int32_t>([](auto &&...all) { reduced_strided_s32(all...); });
  check_reduced<float>([](auto &&...all) { reduced_copied_f32(all...); });
  check_reduced<std::uint32_t>([](auto &&...all) { reduced_tiled_u32(all...); });
}

TEST(HopperTiles, ReductionsOfBatches) {
  const auto x = small_numbers<std::int32_t, 4>({2, 4, 8, 32});
  everywhere([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({4, 32}, where);
    auto p = poisoned<std::int32_t, 3>({2, 4, 8}, where);
    reduced_batches(x.to(where), o, p);
    expect_same("sums", o, [&](auto i) {
      std::int32_t sum = 0;
      for (std::int64_t a = 0; a < 2; ++a)
        for (std::int64_t c = 0; c < 8; ++c)
          sum += x(a, i[0], c, i[1]);
      return sum;
    });
    expect_same("greatest", p, [&](auto i) {
      std::int32_t greatest = x(i[0], i[1], i[2], 0);
      for (std::int64_t d = 1; d < 32; ++d)
        greatest = std::max(greatest, x(i[0], i[1], i[2], d));
      return greatest;
    });
  });
}

TEST(HopperTiles, Indices) {
  check_numbered<bf16>([](auto &o) { numbered_bf16(o); });
  check_numbered<std::int16_t>([](auto &o) { numbered_s16(o); });
  check_numbered<std::uint16_t>([](auto &o) { numbered_u16(o); });
}

TEST(HopperTiles, Broadcasts) {
  const auto x = small_numbers<float, 2>({64, 128});
  const auto y = small_numbers<float, 3>({2, 4, 128});
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({64, 128}, where);
    auto p = poisoned<float, 3>({2, 4, 128}, where);
    broadcast(x.to(where), y.to(where), o, p, 42);
    expect_same("of matrices", o, [&](auto i) { return x(0, i[1]) + x(i[0], i[1]); });
    expect_same("of batches", p, [&](auto i) { return x(0, i[2]) * y(i[0], i[1], i[2]) + 42; });
  });
}

TEST(HopperTiles, Shapes) {
  const auto x = small_numbers<float, 2>({64, 128});
  const auto numbers =
      make<std::int32_t, 1>({64}, [](std::int64_t) { return static_cast<int>(generator()() % 40) - 4; });
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({64, 64}, where), hot = poisoned<float, 2>({64, 32}, where);
    shaped(x.to(where), numbers.to(where), o, hot);
    expect_same("halves and rows", o,
                [&](auto i) { return x(i[0], i[1]) * x(i[0], 64 + i[1]) + x(5, i[1]) + x(7, i[1]); });
    expect_same("ones", hot, [&](auto i) { return numbers(i[0]) == i[1] ? 1.0F : 0.0F; });
  });
}

TEST(HopperTiles, LoopsThatDataEnds) {
  const auto x = random<float, 2>({5, 128});
  const auto times = make<std::int32_t, 1>({5}, [](std::int64_t i) { return static_cast<std::int32_t>(3 * i - 1); });
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({5, 128}, where);
    halved_often(x.to(where), times.to(where), o);
    expect_same("halves", o, [&](auto i) { return std::ldexp(x(i[0], i[1]), -std::max(0, times(i[0]))); });
  });
}

TEST(HopperTiles, BranchesHaveBarriers) {
  const auto x = small_numbers<std::int32_t, 2>({5, 256});
  everywhere([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({5, 256}, where);
    either(x.to(where), o);
    expect_same("one more, or twice", o, [&](auto i) {
      const std::int32_t value = x(i[0], i[1]);
      return i[0] % 2 == 0 ? value + 1 : value * 2;
    });
  });
}
