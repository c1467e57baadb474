// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_transfers.h"

#include "hopper.h"

#include <limits>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Numbers of which sums of a few are exact in every type.
template <class T> T small_number(std::int64_t i) {
  const auto number = static_cast<int>(i * 7 % 13) - (std::is_unsigned_v<T> ? 0 : 6);
  return static_cast<T>(static_cast<std::conditional_t<std::is_integral_v<T>, T, float>>(number));
}

template <class T> T added(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) + static_cast<std::make_unsigned_t<T>>(y));
  else
    return static_cast<T>(static_cast<float>(x) + static_cast<float>(y));
}
template <class T> T least(T x, T y) { return wide(y) < wide(x) ? y : x; }
template <class T> T most(T x, T y) { return wide(x) < wide(y) ? y : x; }

/// Several programs combine their windows with one window of an array, inside it or over its end. Elements of all
/// programs are alike if `are_alike`: the result depends on their order otherwise.
template <class T, class Entry, class Combine>
void check_reduced(const tegula::shape<2> &window, Entry entry, Combine combine, bool is_sum, bool are_alike = false) {
  constexpr std::int64_t programs = 5, unit = 16 / sizeof(T);
  const auto of_program = [&](std::int64_t i) {
    const std::int64_t element = are_alike ? i % (window[0] * window[1]) : i;
    return is_sum ? small_number<T>(element) : T();
  };
  auto x = make<T, 3>({programs, window[0], window[1]}, of_program);
  if (!is_sum)
    x = random<T, 3>({programs, window[0], window[1]});
  if (are_alike)
    for (std::int64_t i = 0; i < x.size(); ++i)
      x.data()[i] = static_cast<T>(i % (window[0] * window[1]) % 5);
  for (const tegula::shape<2> start :
       {tegula::shape<2>(0, 0), tegula::shape<2>(3, unit), tegula::shape<2>(9, 2 * unit)}) {
    SCOPED_TRACE("the window begins at " + to_string(start));
    const tegula::shape<2> dims(10 + window[0] / 2, (window[1] + 2 * unit) / unit * unit);
    auto before = make<T, 2>(dims, [&](std::int64_t i) { return small_number<T>(3 * i + 1); });
    if (!is_sum && !are_alike)
      before = random<T, 2>(dims);
    everywhere([&](auto where) {
      auto o = before.to(where);
      entry(x.to(where), o, start[0], start[1]);
      expect_same("array", o, [&](auto index) {
        T value = before(index[0], index[1]);
        const std::int64_t i = index[0] - start[0], j = index[1] - start[1];
        if (i >= 0 && i < window[0] && j >= 0 && j < window[1])
          for (std::int64_t p = 0; p < programs; ++p)
            value = combine(value, T(x(p, i, j)));
        return value;
      });
    });
  }
}
#define REDUCED(entry) [](const auto &x, auto &o, auto i, auto j) { entry(x, o, i, j); }

/// The same of rows.
template <class T, class Entry, class Combine>
void check_runs(std::int64_t length, Entry entry, Combine combine, bool are_alike = false) {
  constexpr std::int64_t programs = 7, unit = 16 / sizeof(T);
  const auto x = make<T, 2>({programs, length}, [&](std::int64_t i) {
    return are_alike ? static_cast<T>(i % length % 5) : small_number<T>(i);
  });
  const tegula::shape<2> dims(3, length + 3 * unit);
  const auto before = make<T, 2>(dims, [&](std::int64_t i) { return small_number<T>(3 * i + 1); });
  for (const tegula::shape<2> start :
       {tegula::shape<2>(0, 0), tegula::shape<2>(2, unit), tegula::shape<2>(1, 3 * unit)})
    everywhere([&](auto where) {
      auto o = before.to(where);
      entry(x.to(where), o, start[0], start[1]);
      expect_same("array", o, [&](auto index) {
        T value = before(index[0], index[1]);
        const std::int64_t j = index[1] - start[1];
        if (index[0] == start[0] && j >= 0 && j < length)
          for (std::int64_t p = 0; p < programs; ++p)
            value = combine(value, T(x(p, j)));
        return value;
      });
    });
}

template <class T> bool is_nan(T value) { return std::isnan(static_cast<double>(static_cast<float>(value))); }
bool is_nan(double value) { return std::isnan(value); }

/// What a window brings of an array that it reaches out of.
template <class T, class Entry> void check_nan(const tegula::shape<2> &window, Entry entry) {
  constexpr std::int64_t unit = 16 / sizeof(T);
  const tegula::shape<2> dims(11, 4 * unit);
  const auto x = random<T, 2>(dims);
  for (const tegula::shape<2> start :
       {tegula::shape<2>(0, 0), tegula::shape<2>(-2, -unit), tegula::shape<2>(7, unit), tegula::shape<2>(40, 0)})
    everywhere([&](auto where) {
      SCOPED_TRACE("the window begins at " + to_string(start));
      auto o = poisoned<T, 2>({2 * window[0], window[1]}, where);
      entry(x.to(where), o, start[0], start[1]);
      const auto result = o.to_host();
      for (std::int64_t i = 0; i < 2 * window[0]; ++i)
        for (std::int64_t j = 0; j < window[1]; ++j) {
          const std::int64_t row = start[0] + i % window[0], column = start[1] + j;
          const bool is_inside = row >= 0 && row < dims[0] && column >= 0 && column < dims[1];
          const T value = result(i, j);
          if (is_inside)
            ASSERT_TRUE(same(value, T(x(row, column)))) << i << ", " << j;
          else if (i < window[0])
            ASSERT_TRUE(is_nan(value)) << i << ", " << j;
          else
            ASSERT_TRUE(same(value, static_cast<T>(0.0f))) << i << ", " << j;
        }
    });
}

template <class T, class Entry> void check_run(std::int64_t length, Entry entry) {
  constexpr std::int64_t unit = 16 / sizeof(T);
  const tegula::shape<2> dims(3, (length + 2 * unit - 1) / unit * unit + unit);
  const auto x = random<T, 2>(dims), before = random<T, 2>(dims);
  for (const std::int64_t at : {std::int64_t{0}, unit, 2 * unit})
    everywhere([&](auto where) {
      SCOPED_TRACE("the run begins at " + std::to_string(at));
      auto o = before.to(where);
      entry(x.to(where), o, 2, at, 1, unit);
      expect_same("array", o, [&](auto index) {
        const std::int64_t j = index[1] - unit;
        return T(index[0] == 1 && j >= 0 && j < length ? x(2, at + j) : before(index[0], index[1]));
      });
    });
}

} // namespace

TEST(HopperTransfers, CopiesAdd) {
  check_reduced<float>({16, 32}, REDUCED(add_f32), added<float>, true);
  check_reduced<f16>({7, 24}, REDUCED(add_f16), added<f16>, true);
  check_reduced<bf16>({8, 64}, REDUCED(add_bf16), added<bf16>, true);
  check_reduced<std::int32_t>({8, 36}, REDUCED(add_s32), added<std::int32_t>, false);
  check_reduced<std::uint32_t>({3, 32}, REDUCED(add_u32), added<std::uint32_t>, false);
  check_reduced<std::int64_t>({8, 16}, REDUCED(add_s64), added<std::int64_t>, false);
  check_reduced<std::uint64_t>({5, 6}, REDUCED(add_u64), added<std::uint64_t>, false);
}

TEST(HopperTransfers, CopiesTakeTheLeastAndTheMost) {
  check_reduced<f16>({16, 64}, REDUCED(min_f16), least<f16>, false);
  check_reduced<bf16>({5, 8}, REDUCED(max_bf16), most<bf16>, false);
  check_reduced<std::int32_t>({8, 32}, REDUCED(min_s32), least<std::int32_t>, false);
  check_reduced<std::uint32_t>({8, 32}, REDUCED(max_u32), most<std::uint32_t>, false);
  check_reduced<std::int64_t>({8, 16}, REDUCED(max_s64), most<std::int64_t>, false);
  check_reduced<std::uint64_t>({3, 16}, REDUCED(min_u64), least<std::uint64_t>, false);
}

static std::uint32_t incremented(std::uint32_t x, std::uint32_t y) { return x >= y ? 0 : x + 1; }
static std::uint32_t decremented(std::uint32_t x, std::uint32_t y) { return x == 0 || x > y ? y : x - 1; }

TEST(HopperTransfers, CopiesCount) {
  check_reduced<std::uint32_t>({8, 32}, REDUCED(inc_u32), incremented, false, /*are_alike=*/true);
  check_reduced<std::uint32_t>({7, 12}, REDUCED(dec_u32), decremented, false, /*are_alike=*/true);
}

TEST(HopperTransfers, CopiesCombineBits) {
  check_reduced<std::uint32_t>({8, 32}, REDUCED(and_u32), [](auto x, auto y) { return x & y; }, false);
  check_reduced<std::int32_t>({8, 32}, REDUCED(or_s32), [](auto x, auto y) { return x | y; }, false);
  check_reduced<std::uint64_t>({8, 16}, REDUCED(xor_u64), [](auto x, auto y) { return x ^ y; }, false);
  check_reduced<std::int64_t>({8, 16}, REDUCED(xor_s64), [](auto x, auto y) { return x ^ y; }, false);
}

TEST(HopperTransfers, RunsCombine) {
  check_runs<float>(1000, REDUCED(add_run_f32), added<float>);
  check_runs<f16>(264, REDUCED(add_run_f16), added<f16>);
  check_runs<bf16>(8, REDUCED(add_run_bf16), added<bf16>);
  check_runs<std::int64_t>(130, REDUCED(add_run_s64), added<std::int64_t>);
  check_runs<f16>(16, REDUCED(min_run_f16), least<f16>);
  check_runs<std::int32_t>(12, REDUCED(max_run_s32), most<std::int32_t>);
  check_runs<std::uint64_t>(2, REDUCED(max_run_u64), most<std::uint64_t>);
  check_runs<std::uint32_t>(32, REDUCED(inc_run_u32), incremented, /*are_alike=*/true);
  check_runs<std::uint32_t>(128, REDUCED(and_run_u32), [](auto x, auto y) { return x & y; });
  check_runs<std::int64_t>(18, REDUCED(xor_run_s64), [](auto x, auto y) { return x ^ y; });
}

#define RUN(entry) [](const auto &x, auto &o, auto i, auto j, auto to_i, auto to_j) { entry(x, o, i, j, to_i, to_j); }

TEST(HopperTransfers, RunsComeAndGo) {
  check_run<float>(20000, RUN(run_f32_20000));
  check_run<std::uint8_t>(48, RUN(run_u8_48));
  check_run<bf16>(8, RUN(run_bf16_8));
  check_run<double>(126, RUN(run_f64_126));
}

TEST(HopperTransfers, RunsOfSixDimensions) {
  const auto x = random<float, 6>({3, 2, 2, 4, 3, 40});
  for (const std::int64_t which : {0, 1})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({24, 32}, where);
      runs_of_6d(x.to(where), o, which);
      expect_same("rows", o, [&](auto index) {
        const std::int64_t s = index[0] / 8, r = index[0] % 8;
        return r == s ? -1.0f : x(s, which, r % 2, r / 2, 1, 4 * s + index[1]);
      });
    });
}

// Boxes that are promised to be inside, in every corner.
TEST(HopperTransfers, PromisedBoxesComeAndGo) {
  const auto x = random<float, 2>({9, 20}), before = random<float, 2>({7, 12});
  for (const auto &to : {tegula::shape<2>(0, 0), tegula::shape<2>(3, 4)})
    for (const bool stores : {false, true})
      for (const bool adds : {false, true})
        everywhere([&](auto where) {
          auto o = before.to(where);
          promised(x.to(where), o, 5, 12, to[0], to[1], stores, adds);
          expect_same("array", o, [&](auto index) {
            const std::int64_t i = index[0] - to[0], j = index[1] - to[1];
            const float old = before(index[0], index[1]);
            if (i < 0 || i >= 4 || j < 0 || j >= 8)
              return old;
            const float stored = stores ? x(5 + i, 12 + j) : old;
            return adds ? stored + x(5 + i, 12 + j) : stored;
          });
        });
}

TEST(HopperTransfers, PromisesOfBoxesAreChecked) {
  auto x = random<float, 2>({9, 20}), o = random<float, 2>({7, 12});
  const auto refusal = [&](std::int64_t i, std::int64_t j, std::int64_t to_i, std::int64_t to_j, bool stores,
                           bool adds) { return message_of([&] { promised(x, o, i, j, to_i, to_j, stores, adds); }); };
  const std::string promise = ": .oob_mode promises that none is out of bounds";
  const std::string rows = "elements 4 to 7 of axis 0 are copied, which has 7" + promise;
  const std::string columns = "elements 8 to 15 of axis 1 are copied, which has 12" + promise;
  const std::string above = "elements -1 to 2 of axis 0 are copied, which has 7" + promise;
  EXPECT_NE(refusal(6, 0, 0, 0, true, false).find("elements 6 to 9 of axis 0 are copied, which has 9" + promise),
            std::string::npos);
  for (const bool adds : {false, true}) {
    EXPECT_NE(refusal(0, 0, 4, 0, !adds, adds).find(rows), std::string::npos);
    EXPECT_NE(refusal(0, 0, 0, 8, !adds, adds).find(columns), std::string::npos);
    EXPECT_NE(refusal(0, 0, -1, 0, !adds, adds).find(above), std::string::npos);
    EXPECT_NE(refusal(0, 0, 4, 0, !adds, adds).find(adds ? "hopper_transfers.cpp:91:" : "hopper_transfers.cpp:89:"),
              std::string::npos)
        << refusal(0, 0, 4, 0, !adds, adds);
  }
  EXPECT_EQ(refusal(0, 0, 4, 0, false, false), "(nothing)") << "what is not copied is not outside";
}

// Subnormal numbers are added as they are, in boxes and in runs.
TEST(HopperTransfers, SumsOfSubnormals) {
  const float least = std::numeric_limits<float>::denorm_min(), normal = std::numeric_limits<float>::min();
  // What is there, and what is added.
  const float cases[][2] = {{least, least},
                            {-least, -least},
                            {-least, 0.0f},
                            {-0.0f, -least},
                            {least, -least},
                            {normal, -least},
                            {-normal, normal / 2},
                            {normal * 1.5f, -normal},
                            {normal, -normal * 1.25f},
                            {normal / 2, normal / 2},
                            {1.0f, least},
                            {normal, normal}};
  constexpr std::int64_t count = std::size(cases);
  const auto there = [&](std::int64_t i) { return cases[i % count][0]; };
  const auto added = [&](std::int64_t i) { return cases[i % count][1]; };
  everywhere([&](auto where) {
    auto window = make<float, 2>({16, 32}, there).to(where);
    add_f32(make<float, 3>({1, 16, 32}, added).to(where), window, 0, 0);
    expect_same("window", window, [&](auto at) { return there(at[0] * 32 + at[1]) + added(at[0] * 32 + at[1]); });
    auto row = make<float, 2>({1, 1000}, there).to(where);
    add_run_f32(make<float, 2>({1, 1000}, added).to(where), row, 0, 0);
    expect_same("row", row, [&](auto at) { return there(at[1]) + added(at[1]); });
  });
  const auto half = [](std::int64_t i) { return static_cast<f16>(std::ldexp(static_cast<float>(i % 7 - 3), -24)); };
  everywhere([&](auto where) {
    auto window = make<f16, 2>({7, 24}, half).to(where);
    add_f16(make<f16, 3>({1, 7, 24}, half).to(where), window, 0, 0);
    expect_same("window of f16", window,
                [&](auto at) { return static_cast<f16>(2 * static_cast<float>(half(at[0] * 24 + at[1]))); });
  });
}

// A promise that is not kept is an error on the CPU; so is a run that does not begin with a unit of 16 bytes.
TEST(HopperTransfers, PromisesAreChecked) {
  tegula::cpu::set_seed(0);
  auto x = random<tegula::bf16, 2>({3, 24}), o = random<tegula::bf16, 2>({3, 24});
  EXPECT_NE(
      message_of([&] {
        run_bf16_8(x, o, 0, 24, 0, 0);
      }).find("elements 24 to 31 of axis 1 are copied, which has 24: .oob_mode promises that none is out of bounds"),
      std::string::npos);
  EXPECT_NE(message_of([&] {
              run_bf16_8(x, o, 0, 0, 3, 0);
            }).find("elements 3 to 3 of axis 0 are copied, which has 3: .oob_mode promises that none is out of bounds"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              run_bf16_8(x, o, 0, 4, 0, 0);
            }).find("a contiguous copy begins 8 bytes after a multiple of 16: it copies units of 16 bytes"),
            std::string::npos);
}

TEST(HopperTransfers, OutsideIsNan) {
  check_nan<float>({16, 32}, REDUCED(nan_outside_f32_16_32));
  check_nan<f16>({5, 24}, REDUCED(nan_outside_f16_5_24));
  check_nan<bf16>({8, 64}, REDUCED(nan_outside_bf16_8_64));
  check_nan<double>({4, 6}, REDUCED(nan_outside_f64_4_6));
}

TEST(HopperTransfers, HintsChangeNothing) {
  for (const std::int64_t rows : {16, 48}) {
    const auto x = random<float, 2>({rows, 64});
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({rows, 128}, where);
      const auto there = x.to(where);
      hinted(there, o);
      const auto result = o.to_host();
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < 128; ++j) {
          const std::int64_t column = j % 64;
          // Undefined, and where the first row of each program alone goes to.
          if ((column >= 40 && column < 48) || (column >= 48 && i % 16 != 0))
            continue;
          const float expected = column < 32   ? x(i, column) + x(i, 32 + column)
                                 : column < 48 ? x(i, 24 + column) + 1.0f
                                               : x(i, column - 48);
          ASSERT_TRUE(same(result(i, j), expected)) << i << ", " << j;
        }
    });
  }
}
