// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_copies.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Where a window of `size` begins in a dimension of `dim`: inside, over either edge, and outside on either side.
std::vector<std::int64_t> starts(std::int64_t dim, std::int64_t size) {
  return {0, 1, dim - size, dim - size + 1, dim - 1, dim + 3, -1, 1 - size, -size - 5};
}

/// Where windows begin: along the dimensions in different orders.
template <int Rank>
std::vector<tegula::shape<Rank>> window_starts(const tegula::shape<Rank> &dims, const tegula::shape<Rank> &window,
                                               std::int64_t element_bytes) {
  std::vector<tegula::shape<Rank>> result;
  for (std::size_t number = 0; number < 9; ++number) {
    tegula::shape<Rank> start;
    // TMA begins at multiples of 16 bytes of a row.
    const std::int64_t unit = 16 / element_bytes;
    for (int axis = 0; axis < Rank; ++axis)
      start[axis] = starts(dims[axis], window[axis])[number * (axis == 1 ? 4 : 1) % 9];
    start[Rank - 1] = start[Rank - 1] / unit * unit;
    result.push_back(start);
  }
  return result;
}

/// The element of x in a window, or 0 outside of x.
template <class T, int Rank>
T element_of(const buffer<T, Rank> &x, const tegula::shape<Rank> &start, const tegula::shape<Rank> &index) {
  std::int64_t place = 0;
  for (int axis = 0; axis < Rank; ++axis) {
    const std::int64_t at = start[axis] + index[axis];
    if (at < 0 || at >= x.dim(axis))
      return static_cast<T>(0);
    place = place * x.dim(axis) + at;
  }
  return x.data()[place];
}

/// A kernel that takes a window's start.
template <class T, int Rank>
using windowed = void (*)(const buffer<T, Rank> &, buffer<T, Rank> &, const tegula::shape<Rank> &);

/// The entry brings each window of arrays of several sizes.
template <class T, int Rank>
void check_windows(const std::vector<tegula::shape<Rank>> &sizes, const tegula::shape<Rank> &window,
                   windowed<T, Rank> entry) {
  for (const auto &dims : sizes) {
    const auto x = random<T>(dims);
    everywhere([&](auto where) {
      const auto there = x.to(where);
      for (const auto &start : window_starts<Rank>(dims, window, sizeof(T))) {
        SCOPED_TRACE("the window begins at " + to_string(start));
        auto o = poisoned<T>(window, where);
        entry(there, o, start);
        expect_same("window", o, [&](auto index) { return element_of(x, start, index); });
      }
    });
  }
}

/// The entry writes a window of arrays of several sizes, and nothing else.
template <class T, int Rank>
void check_puts(const std::vector<tegula::shape<Rank>> &sizes, const tegula::shape<Rank> &window,
                windowed<T, Rank> entry) {
  const auto x = random<T>(window);
  for (const auto &dims : sizes)
    everywhere([&](auto where) {
      const auto there = x.to(where);
      for (auto start : window_starts<Rank>(dims, window, sizeof(T))) {
        for (int axis = 0; axis < Rank; ++axis) // TMA writes nothing that begins before the array.
          start[axis] = std::max<std::int64_t>(start[axis], 0);
        SCOPED_TRACE("the window begins at " + to_string(start));
        const auto before = random<T>(dims);
        auto o = before.to(where);
        entry(there, o, start);
        expect_same("array", o, [&](auto index) {
          tegula::shape<Rank> within;
          bool is_inside = true;
          for (int axis = 0; axis < Rank; ++axis) {
            within[axis] = index[axis] - start[axis];
            is_inside &= within[axis] >= 0 && within[axis] < window[axis];
          }
          return is_inside ? element_of(x, {}, within) : element_of(before, {}, index);
        });
      }
    });
}

/// The entry brings each window of arrays of several sizes, and writes it where another window of such an array begins.
template <class T, class Entry>
void check_large(const std::vector<tegula::shape<2>> &sizes, const tegula::shape<2> &window, Entry entry) {
  for (const auto &dims : sizes) {
    const auto x = random<T, 2>(dims), before = random<T, 2>(dims);
    everywhere([&](auto where) {
      const auto there = x.to(where);
      const auto all = window_starts<2>(dims, window, sizeof(T));
      for (std::size_t i = 0; i < all.size(); i += 2) {
        const tegula::shape<2> start = all[i], other = all[(i + 4) % all.size()];
        // TMA writes nothing that begins before the array.
        const tegula::shape<2> to(std::max<std::int64_t>(other[0], 0), std::max<std::int64_t>(other[1], 0));
        SCOPED_TRACE("the window begins at " + to_string(start) + ", and goes to " + to_string(to));
        auto o = poisoned<T, 2>(window, where), copied = before.to(where);
        entry(there, o, copied, start[0], start[1], to[0], to[1]);
        expect_same("window", o, [&](auto index) { return element_of(x, start, index); });
        expect_same("array", copied, [&](auto index) {
          const tegula::shape<2> within(index[0] - to[0], index[1] - to[1]);
          const bool is_inside = within[0] >= 0 && within[0] < window[0] && within[1] >= 0 && within[1] < window[1];
          return is_inside ? element_of(x, start, within) : element_of(before, {}, index);
        });
      }
    });
  }
}

// Entries of one, two and three dimensions, called alike.
#define LINE(entry) [](const auto &x, auto &o, const auto &at) { entry(x, o, at[0]); }
#define RECTANGLE(entry) [](const auto &x, auto &o, const auto &at) { entry(x, o, at[0], at[1]); }
#define CUBE(entry) [](const auto &x, auto &o, const auto &at) { entry(x, o, at[0], at[1], at[2]); }

} // namespace

TEST(HopperCopies, LinesComeIn) {
  check_windows<float, 1>({{1}, {7}, {64}, {129}}, {64}, LINE(window_f32_64));
  check_windows<std::int32_t, 1>({{127}, {1030}}, {512}, LINE(window_s32_512));
  check_windows<std::uint8_t, 1>({{1}, {47}, {200}}, {48}, LINE(window_u8_48));
  check_windows<float, 1>({{1000}, {777}, {2001}}, {1000}, LINE(window_f32_1000));
}

TEST(HopperCopies, RectanglesComeIn) {
  check_windows<float, 2>({{1, 4}, {17, 36}, {127, 64}}, {16, 32}, RECTANGLE(window_f32_16_32));
  check_windows<std::int32_t, 2>({{24, 16}, {7, 20}}, {24, 16}, RECTANGLE(window_s32_24_16));
  check_windows<bf16, 2>({{8, 48}, {9, 136}, {1, 8}}, {8, 48}, RECTANGLE(window_bf16_8_48));
  check_windows<bf16, 2>({{39, 264}, {41, 8}}, {40, 256}, RECTANGLE(window_bf16_40_256));
  check_windows<f16, 2>({{5, 24}, {7, 32}, {129, 8}}, {5, 24}, RECTANGLE(window_f16_5_24));
  check_windows<std::uint8_t, 2>({{17, 176}, {3, 16}}, {16, 160}, RECTANGLE(window_u8_16_160));
  check_windows<float, 2>({{513, 4}, {100, 8}}, {512, 4}, RECTANGLE(window_f32_512_4));
  check_windows<bf16, 2>({{3, 320}, {7, 264}}, {3, 320}, RECTANGLE(window_bf16_3_320));
}

TEST(HopperCopies, CubesComeIn) {
  check_windows<float, 3>({{3, 8, 32}, {4, 9, 36}, {1, 1, 4}}, {3, 8, 32}, CUBE(window_f32_3_8_32));
  check_windows<bf16, 3>({{2, 5, 8}, {7, 6, 24}}, {2, 5, 8}, CUBE(window_bf16_2_5_8));
}

#define LARGE(entry) [](auto &&...arguments) { entry(arguments...); }

TEST(HopperCopies, WindowsOfSeveralBoxes) {
  check_large<float>({{258, 16}, {263, 36}, {3, 4}}, {258, 16}, LARGE(large_f32_258_16));
  check_large<float>({{257, 32}, {301, 68}}, {257, 32}, LARGE(large_f32_257_32));
  check_large<bf16>({{4, 520}, {7, 536}, {3, 256}}, {4, 520}, LARGE(large_bf16_4_520));
  check_large<float>({{4, 260}, {9, 300}, {1, 4}}, {4, 260}, LARGE(large_f32_4_260));
  check_large<std::uint8_t>({{3, 272}, {5, 304}}, {3, 272}, LARGE(large_u8_3_272));
  check_large<bf16>({{264, 128}, {300, 200}}, {264, 128}, LARGE(large_bf16_264_128));
  check_large<std::int32_t>({{520, 8}, {531, 20}}, {520, 8}, LARGE(large_s32_520_8));
}

TEST(HopperCopies, CubesOfSeveralBoxes) {
  check_windows<float, 3>({{2, 257, 4}, {3, 300, 12}}, {2, 257, 4}, CUBE(large_f32_2_257_4));
  check_windows<bf16, 3>({{2, 3, 264}, {5, 4, 296}}, {2, 3, 264}, CUBE(large_bf16_2_3_264));
}

TEST(HopperCopies, StagesOfSeveralBoxes) {
  const auto x = random<bf16, 2>({5, 256}); // The last row and the last columns are outside.
  everywhere([&](auto where) {
    auto o = poisoned<bf16, 2>({6, 264}, where);
    large_stages(x.to(where), o);
    expect_same("stages", o, [&](auto index) { return element_of(x, {}, index); });
  });
}

TEST(HopperCopies, APlaneOfACube) {
  const auto x = random<f16, 3>({11, 7, 72});
  for (const auto &start : {tegula::shape<3>(0, 0, 0), tegula::shape<3>(5, 6, 16), tegula::shape<3>(10, 7, -8)})
    everywhere([&](auto where) {
      auto o = poisoned<f16, 2>({9, 64}, where);
      plane_of_3d(x.to(where), o, start[0], start[1], start[2]);
      expect_same("plane, row", o, [&](auto i) {
        return element_of(x, start, i[0] < 8 ? tegula::shape<3>(i[0], 0, i[1]) : tegula::shape<3>(0, 0, i[1]));
      });
    });
}

TEST(HopperCopies, SeveralOnOneBarrier) {
  const auto x = random<float, 2>({8, 32});
  const auto y = random<std::uint8_t, 1>({32});
  const auto z = random<bf16, 2>({8, 32});
  for (const bool chosen : {true, false})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({16, 16}, where);
      several_on_one_barrier(x.to(where), y.to(where), z.to(where), o, chosen);
      expect_agrees("x + y z", o, [&](auto i) {
        const std::int64_t row = i[0] % 8, column = i[1] + i[0] / 8 * 16;
        const double added = wide(x(row, column)), product = wide(y(column)) * (chosen ? wide(z(row, column)) : -1.0);
        return Near<float>{added + product, gamma(2, unit_roundoff<float>()) * (std::abs(added) + std::abs(product))};
      });
    });
}

TEST(HopperCopies, TwoAhead) {
  for (const std::int64_t n : {256, 768}) {
    const auto x = random<std::int32_t, 1>({n - 13}); // The last copy brings zeros, too.
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 1>({n}, where);
      ahead(x.to(where), o);
      expect_same("3 x", o, [&](auto i) {
        return static_cast<std::int32_t>(3 * static_cast<std::uint32_t>(i[0] < n - 13 ? x(i[0]) : 0));
      });
    });
  }
}

TEST(HopperCopies, ArraysThatTmaCannotCopyAreRefusedEverywhere) {
  const auto refusal = [](const auto &call) -> std::string {
    try {
      call();
    } catch (const tegula::error &refused) {
      return refused.what();
    }
    return "(nothing)";
  };
  everywhere([&](auto where) {
    const auto x = random<float, 2>({24, 37}).to(where);
    auto o = poisoned<float, 2>({16, 32}, where);
    EXPECT_EQ(refusal([&] { window_f32_16_32(x, o, 0, 0); }),
              "window_f32_16_32: TMA cannot copy 'x': the stride of dimension 0 is 148 bytes, not a multiple of 16; "
              "make its rows longer, and pass a slice of them");
    auto zeros = poisoned<float, 1>({32}, where);
    EXPECT_EQ(refusal([&] { only_prefetched(x, zeros); }),
              "only_prefetched: TMA cannot copy 'x': the stride of dimension 0 is 148 bytes, not a multiple of 16; "
              "make its rows longer, and pass a slice of them");
    const auto line = random<float, 1>({101}).to(where);
    const tegula::array<const float, 1> odd(line.data() + 1, {100}, where);
    auto p = poisoned<float, 1>({64}, where);
    EXPECT_EQ(refusal([&] { window_f32_64(odd, p, 0); }),
              "window_f32_64: TMA cannot copy 'x': it begins 4 bytes after a multiple of 16; copy it with to(array, "
              "device)");
    const auto by_rows = random<float, 2>({32, 16}).to(where);
    EXPECT_EQ(refusal([&] { columns_f32_16_32(by_rows, o, 0, 0); }),
              "columns_f32_16_32: TMA cannot copy 'x': dimension 0, the last of the view that is copied, has the "
              "stride 16, not 1; pass an array that is contiguous along it");
  });
}

TEST(HopperCopies, LinesGoOut) {
  check_puts<float, 1>({{64}, {4}, {132}}, {64}, LINE(put_f32_64));
  check_puts<std::uint8_t, 1>({{512}, {16}, {1024}}, {512}, LINE(put_u8_512));
}

TEST(HopperCopies, RectanglesGoOut) {
  check_puts<float, 2>({{16, 64}, {1, 4}, {129, 132}}, {16, 64}, RECTANGLE(put_f32_16_64));
  check_puts<bf16, 2>({{7, 24}, {9, 8}}, {8, 16}, RECTANGLE(put_bf16_8_16));
  check_puts<f16, 2>({{7, 24}, {127, 32}}, {7, 24}, RECTANGLE(put_f16_7_24));
  check_puts<std::int32_t, 2>({{8, 16}, {17, 20}}, {8, 16}, RECTANGLE(put_s32_8_16));
}

TEST(HopperCopies, CubesGoOut) { check_puts<float, 3>({{2, 8, 16}, {3, 9, 20}, {1, 1, 4}}, {2, 8, 16}, CUBE(put_3d)); }

TEST(HopperCopies, Groups) {
  for (const std::int64_t rows : {0, 1, 2, 7}) {
    const auto x = random<float, 2>({rows, 32});
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({rows, 32}, where), twice = poisoned<float, 2>({rows, 32}, where);
      auto even = buffer<float, 2>(make<float, 2>({rows, 32}, [](std::int64_t) { return -1.0F; })).to(where);
      groups(x.to(where), o, twice, even);
      expect_same("x + 1", o, [&](auto i) { return x(i[0], i[1]) + 1; });
      expect_same("2 x", twice, [&](auto i) { return 2 * x(i[0], i[1]); });
      expect_same("x or -1", even, [&](auto i) { return i[0] % 2 == 0 ? x(i[0], i[1]) : -1.0F; });
    });
  }
}

namespace {
template <class T, class Entry> void check_elementwise(Entry entry) {
  const auto x = random<T, 2>({33, 64});
  const auto twice = [&](std::int64_t i, std::int64_t j) { return static_cast<T>(x(i, j) + x(i, j)); };
  for (const std::int64_t r : {0, 11, 30})
    everywhere([&](auto where) {
      const T untouched = make<T, 1>({1}, [](std::int64_t) { return static_cast<T>(99); })(0);
      auto o = make<T, 2>({142, 64}, [&](std::int64_t) { return untouched; }).to(where);
      entry(x.to(where), o, r);
      // Where a row is replaced: x in the next row, and what was there.
      const auto replaced = [&](std::int64_t j) { return static_cast<T>(x(r + 1, j) + twice(r, j)); };
      expect_same("parts", o, [&](auto index) {
        const std::int64_t i = index[0], j = index[1];
        if (i < 32)
          return twice(i, j);
        if (i < 40)
          return j < 16 ? twice(i - 32 + 8, j + 16) : untouched;
        if (i < 44)
          return j < 8 ? twice(i - 40 + 3, j + 5) : untouched;
        if (i < 46)
          return i == 44 ? twice(r, j) : replaced(j);
        if (i < 78)
          return i - 46 == r ? replaced(j) : twice(i - 46, j);
        return j < 32 ? x(j, i - 78) : untouched;
      });
    });
}
} // namespace

TEST(HopperCopies, ElementwiseOnSwizzledMemory) {
  check_elementwise<float>([](const auto &x, auto &o, auto r) { elementwise_f32(x, o, r); });
  check_elementwise<bf16>([](const auto &x, auto &o, auto r) { elementwise_bf16(x, o, r); });
  check_elementwise<std::uint8_t>([](const auto &x, auto &o, auto r) { elementwise_u8(x, o, r); });
}

TEST(HopperCopies, PlainMemory) {
  const auto x = random<float, 2>({15, 12});
  for (const std::int64_t r : {0, 2})
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({6, 12}, where);
      plain(x.to(where), o, r);
      const auto cube = [&](std::int64_t i, std::int64_t j, std::int64_t k) { return x(5 * i + j, k); };
      expect_same("choice", o, [&](auto i) {
        if (i[0] == 5)
          return 7 + cube(r, r + 1, 11);
        const float row = i[1] == 3 ? 7 : cube(2, r, i[1]);
        return cube(r, i[0], i[1]) > 0 ? cube(1, i[0], i[1]) + row : cube(r, i[0], i[1]);
      });
    });
}

TEST(HopperCopies, PrefetchesChangeNothing) {
#define PREFETCHED(entry, fetches) [](const auto &x, auto &o, const auto &at) { entry(x, o, at[0], at[1], fetches); }
  check_windows<float, 2>({{17, 36}, {1, 4}}, {16, 32}, PREFETCHED(prefetched_f32_16_32, true));
  check_windows<float, 2>({{17, 36}}, {16, 32}, PREFETCHED(prefetched_f32_16_32, false));
  check_windows<bf16, 2>({{3, 320}, {7, 264}}, {3, 320}, PREFETCHED(prefetched_bf16_3_320, true));
  check_windows<std::uint8_t, 2>({{301, 176}}, {8, 160}, PREFETCHED(prefetched_u8_8_160, true));
  check_windows<float, 2>({{17, 36}, {1, 4}}, {16, 32}, RECTANGLE(prefetched_together_16_32));
  check_windows<float, 2>({{3, 68}}, {1, 36}, RECTANGLE(prefetched_together_1_36));
}

TEST(HopperCopies, StoredElementsPass) {
  const auto check = [](auto zero, auto entry) {
    using T = decltype(zero);
    const auto x = make<T, 2>(
        {24, 48}, [](std::int64_t) { return T::from_bits(static_cast<std::uint8_t>(random_value<std::uint8_t>())); });
    everywhere([&](auto where) {
      auto o = make<T, 2>({24, 48}, [](std::int64_t) { return T::from_bits(0x55); }).to(where);
      entry(x.to(where), o);
      const auto back = o.to_host();
      for (std::int64_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(back.data()[i].bits, x.data()[i].bits) << i;
    });
  };
  check(tegula::e4m3(), [](const auto &x, auto &o) { passed_e4m3(x, o); });
  check(tegula::e5m2(), [](const auto &x, auto &o) { passed_e5m2(x, o); });
}

// The array whose transposed view, as the kernel makes it, is x: x permuted the other way round.
#define VIEW_3D(entry, ...)                                                                                            \
  [](const auto &x, auto &o, const auto &at) { entry(x.view().permuted(__VA_ARGS__), o, at[0], at[1], at[2]); }
#define PUT_VIEW_3D(entry, ...)                                                                                        \
  [](const auto &x, auto &o, const auto &at) { entry(x, o.view().permuted(__VA_ARGS__), at[0], at[1], at[2]); }
#define COLUMNS(entry) [](const auto &x, auto &o, const auto &at) { entry(x.view().permuted(1, 0), o, at[0], at[1]); }
#define PUT_COLUMNS(entry)                                                                                             \
  [](const auto &x, auto &o, const auto &at) { entry(x, o.view().permuted(1, 0), at[0], at[1]); }

TEST(HopperCopies, ViewsComeIn) {
  check_windows<float, 3>({{3, 8, 32}, {4, 9, 36}, {1, 1, 4}}, {3, 8, 32}, VIEW_3D(view_f32_3_8_32_by_102, 1, 0, 2));
  check_windows<bf16, 3>({{2, 5, 8}, {7, 6, 24}}, {2, 5, 8}, VIEW_3D(view_bf16_2_5_8_by_120, 2, 0, 1));
  check_windows<bf16, 3>({{2, 3, 264}, {5, 4, 296}}, {2, 3, 264}, VIEW_3D(view_bf16_2_3_264_by_210, 2, 1, 0));
  check_windows<float, 2>({{1, 4}, {17, 36}, {127, 64}}, {16, 32}, COLUMNS(columns_f32_16_32));
  check_windows<bf16, 2>({{39, 264}, {41, 8}}, {40, 256}, COLUMNS(columns_bf16_40_256));
  check_windows<float, 2>({{258, 16}, {263, 36}, {3, 4}}, {258, 16}, COLUMNS(columns_f32_258_16));
}

TEST(HopperCopies, ViewsGoOut) {
  check_puts<float, 3>({{2, 8, 16}, {3, 9, 20}, {1, 1, 4}}, {2, 8, 16},
                       PUT_VIEW_3D(put_view_f32_2_8_16_by_102, 1, 0, 2));
  check_puts<float, 3>({{2, 8, 16}, {3, 9, 20}}, {2, 8, 16}, PUT_VIEW_3D(put_view_f32_2_8_16_by_120, 2, 0, 1));
  check_puts<float, 2>({{16, 64}, {1, 4}, {129, 132}}, {16, 64}, PUT_COLUMNS(put_columns_f32_16_64));
}

TEST(HopperCopies, HeadsOfADenseArray) {
  const auto x = random<float, 3>({9, 5, 36}); // rows, heads
  everywhere([&](auto where) {
    auto o = poisoned<float, 3>({3, 8, 32}, where);
    view_f32_3_8_32_by_102(x.to(where), o, 3, 4, 8);
    expect_same("heads", o, [&](auto i) {
      const bool is_inside = i[0] + 3 < 5 && i[1] + 4 < 9 && i[2] + 8 < 36;
      return is_inside ? x(i[1] + 4, i[0] + 3, i[2] + 8) : 0.0F;
    });
  });
}

TEST(HopperCopies, APlaneOfAView) {
  const auto x = random<f16, 3>({11, 7, 72});
  for (const auto &start : {tegula::shape<3>(0, 0, 0), tegula::shape<3>(5, 6, 16), tegula::shape<3>(10, 7, -8)})
    everywhere([&](auto where) {
      auto o = poisoned<f16, 2>({17, 64}, where);
      plane_of_view(x.to(where).view().permuted(2, 1, 0), o, start[0], start[1], start[2]);
      expect_same("plane, the same, row", o, [&](auto i) {
        return element_of(x, start, i[0] < 16 ? tegula::shape<3>(i[0] % 8, 0, i[1]) : tegula::shape<3>(0, 0, i[1]));
      });
    });
}

TEST(HopperCopies, BlocksShareAView) {
  const auto x = random<bf16, 3>({45, 3, 64});
  for (const std::int64_t row : {0, 7, 30, -5})
    everywhere([&](auto where) {
      auto o = poisoned<bf16, 4>({2, 2, 32, 64}, where);
      multicast_view(x.to(where), o, 1, row);
      expect_same("heads", o, [&](auto i) { return element_of(x, {row, 1, 0}, tegula::shape<3>(i[2], i[1], i[3])); });
    });
}
