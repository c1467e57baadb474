// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorted tiles: along axes, of all elements, several tiles together, and what is taken of them.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row = [](auto i) { return tg::index(i, 0); };
constexpr auto of_row = [](auto i) { return tg::index(i); };
constexpr auto column = [](auto i) { return tg::index(0, i); };

/// Each row, and where its elements were; blocks are longer than rows may be.
template <class T, int N>
TEGULA_KERNEL void sort_rows(tg::array<T, 2> o, tg::array<int, 2> where, tg::array<const T, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == x.dim(1), "o has the shape of x");
  tg::check(where.dim(0) == x.dim(0) && where.dim(1) == x.dim(1), "where has the shape of x");
  tg::check(x.dim(1) <= N, "a block has the row");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto o, auto where, auto x) {
        o[tg::all] = tg::sort(x[tg::all]);
        where[tg::all] = tg::argsort<0>(x[tg::all]);
      },
      tg::out<tg::squeezed, N>(o, row), tg::out<tg::squeezed, N>(where, row), tg::in<tg::squeezed, N>(x, row));
}
TEGULA_INSTANTIATE("sort_rows_bool", sort_rows<bool, 128>);
TEGULA_INSTANTIATE("sort_rows_s8", sort_rows<tg::s8, 128>);
TEGULA_INSTANTIATE("sort_rows_u8", sort_rows<tg::u8, 128>);
TEGULA_INSTANTIATE("sort_rows_s16", sort_rows<tg::s16, 128>);
TEGULA_INSTANTIATE("sort_rows_u16", sort_rows<tg::u16, 128>);
TEGULA_INSTANTIATE("sort_rows_s32", sort_rows<int, 128>);
TEGULA_INSTANTIATE("sort_rows_u32", sort_rows<tg::u32, 128>);
TEGULA_INSTANTIATE("sort_rows_s64", sort_rows<tg::s64, 128>);
TEGULA_INSTANTIATE("sort_rows_u64", sort_rows<tg::u64, 128>);
TEGULA_INSTANTIATE("sort_rows_f16", sort_rows<tg::f16, 128>);
TEGULA_INSTANTIATE("sort_rows_bf16", sort_rows<tg::bf16, 128>);
TEGULA_INSTANTIATE("sort_rows_f32", sort_rows<float, 128>);
TEGULA_INSTANTIATE("sort_rows_f64", sort_rows<double, 128>);
TEGULA_INSTANTIATE("sort_long_rows_f32", sort_rows<float, 8192>);
TEGULA_INSTANTIATE("sort_long_rows_f64", sort_rows<double, 4096>);
TEGULA_INSTANTIATE("sort_long_rows_bf16", sort_rows<tg::bf16, 8192>);
TEGULA_INSTANTIATE("sort_warp_rows_f32", sort_rows<float, 1024>);

/// The same, the greatest first.
template <class T>
TEGULA_KERNEL void sort_descending(tg::array<T, 2> o, tg::array<int, 2> where, tg::array<const T, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == x.dim(1), "o has the shape of x");
  tg::check(where.dim(0) == x.dim(0) && where.dim(1) == x.dim(1), "where has the shape of x");
  tg::check(x.dim(1) <= 64, "a block has the row");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto o, auto where, auto x) {
        o[tg::all] = tg::sort<-1>(x[tg::all], tg::descending);
        where[tg::all] = tg::argsort(x[tg::all], tg::descending);
      },
      tg::out<tg::squeezed, 64>(o, row), tg::out<tg::squeezed, 64>(where, row), tg::in<tg::squeezed, 64>(x, row));
}
TEGULA_INSTANTIATE("sort_descending_u8", sort_descending<tg::u8>);
TEGULA_INSTANTIATE("sort_descending_s32", sort_descending<int>);
TEGULA_INSTANTIATE("sort_descending_f16", sort_descending<tg::f16>);
TEGULA_INSTANTIATE("sort_descending_f32", sort_descending<float>);
TEGULA_INSTANTIATE("sort_descending_f64", sort_descending<double>);

/// Columns, along axis 0 of blocks that end anywhere.
template <class T> TEGULA_KERNEL void sort_columns(tg::array<T, 2> o, tg::array<const T, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == x.dim(1), "o has the shape of x");
  tg::check(x.dim(0) <= 50, "a block has the column");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(1), 32)}}, [](auto o, auto x) { o[tg::all] = tg::sort<0>(x[tg::all]); },
      tg::out<50, 32>(o, column), tg::in<50, 32>(x, column));
}
TEGULA_INSTANTIATE("sort_columns_f32", sort_columns<float>);
TEGULA_INSTANTIATE("sort_columns_s64", sort_columns<tg::s64>);
TEGULA_INSTANTIATE("sort_columns_u8", sort_columns<tg::u8>);

/// By two keys, the second where the first is equal, another tile with them.
TEGULA_KERNEL void sort_by_two(tg::array<float, 2> o, tg::array<int, 2> a, tg::array<float, 2> b,
                               tg::array<const int, 2> x, tg::array<const float, 2> y, tg::array<const float, 2> z) {
  tg::check(a.dim(0) == x.dim(0) && a.dim(1) == x.dim(1) && b.dim(0) == x.dim(0) && b.dim(1) == x.dim(1), "shapes");
  tg::check(y.dim(0) == x.dim(0) && y.dim(1) == x.dim(1) && z.dim(0) == x.dim(0) && z.dim(1) == x.dim(1), "shapes");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == x.dim(1) && x.dim(1) <= 256, "shapes");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [](auto o, auto a, auto b, auto x, auto y, auto z) {
        const auto sorted = tg::sort<1, 2>(tg::tuple(x[tg::all], y[tg::all], z[tg::all]));
        a[tg::all] = sorted.first;
        b[tg::all] = sorted.second;
        o[tg::all] = sorted.third;
      },
      tg::out<4, 256>(o, row), tg::out<4, 256>(a, row), tg::out<4, 256>(b, row), tg::in<4, 256>(x, row),
      tg::in<4, 256>(y, row), tg::in<4, 256>(z, row));
}

/// What is computed is sorted, and what is sorted computed with.
TEGULA_KERNEL void sort_computed(tg::array<float, 2> o, tg::array<const float, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == 96 && x.dim(1) == 96, "rows have 96 elements");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto o, auto x) {
        const auto sorted = tg::sort(x[tg::all] * x[tg::all] - 3.0F);
        o[tg::all] = sorted - tg::max(sorted);
      },
      tg::out<tg::squeezed, 96>(o, row), tg::in<tg::squeezed, 96>(x, row));
}

/// The greatest few, and where they are.
template <class T> TEGULA_KERNEL void find_top(tg::array<T, 2> o, tg::array<int, 2> where, tg::array<const T, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && where.dim(0) == x.dim(0) && o.dim(1) == 5 && where.dim(1) == 5, "five of each row");
  tg::check(x.dim(1) == 200, "rows have 200 elements");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto o, auto where, auto x) {
        const auto [values, indices] = tg::top_k<5>(x[tg::all]);
        o[tg::all] = values;
        where[tg::all] = indices;
      },
      tg::out<tg::squeezed, 5>(o, row), tg::out<tg::squeezed, 5>(where, row), tg::in<tg::squeezed, 200>(x, row));
}
TEGULA_INSTANTIATE("find_top_f32", find_top<float>);
TEGULA_INSTANTIATE("find_top_s16", find_top<tg::s16>);

/// One element of each sorted row: the median of rows of odd length.
TEGULA_KERNEL void find_medians(tg::array<float, 1> o, tg::array<const float, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && x.dim(1) == 101, "rows have 101 elements");
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto o, auto x) { o[] = tg::sort(x[tg::all])[50]; }, tg::out<tg::squeezed>(o, of_row),
      tg::in<tg::squeezed, 101>(x, row));
}

/// Sorted in a loop, what the loop carries too: the greatest of each place of the sorted rows.
TEGULA_KERNEL void combine_sorted(tg::array<float, 1> o, tg::array<const float, 2> x) {
  tg::check(o.dim(0) == 256 && x.dim(1) == 256, "rows have 256 elements");
  tg::pallas_call(
      {.grid = {1}},
      [=](auto o) {
        auto best = tg::full<float, 256>(-1000.0F);
        for (tg::s64 i = 0; i < x.dim(0); ++i) {
          best = tg::maximum(best, tg::sort(x[i, tg::ds<256>(0)]));
          if (i % 2 == 1)
            best = tg::sort(best, tg::descending);
        }
        o[tg::all] = best;
      },
      tg::out<256>(o, of_row));
}

/// At the explicit level: a warpgroup has a row in registers.
TEGULA_KERNEL void sort_explicitly(tg::array<float, 2> o, tg::array<const float, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == 512 && x.dim(1) == 512, "rows have 512 elements");
  tg::kernel({.grid = {{"row", x.dim(0)}}}, [=] {
    const auto row = tg::axis_index("row");
    o[row, tg::ds<512>(0)] = tg::sort(x[row, tg::ds<512>(0)]);
  });
}
