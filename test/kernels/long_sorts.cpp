// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of any length that are sorted: alone, with their places, with other elements; as they stand and computed.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row = [](auto i) { return tg::index(i, 0); };
constexpr auto column = [](auto i) { return tg::index(0, i); };

template <class T, class U> void check_alike(tg::array<T, 1> a, tg::array<U, 1> b) {
  tg::check(a.dim(0) == b.dim(0), "arrays of one shape");
}
template <class T, class U> void check_alike(tg::array<T, 2> a, tg::array<U, 2> b) {
  tg::check(a.dim(0) == b.dim(0) && a.dim(1) == b.dim(1), "arrays of one shape");
}

/// An array, and where its elements were: arrays as they stand.
template <class T> TEGULA_KERNEL void sort_array(tg::array<T, 1> o, tg::array<int, 1> where, tg::array<const T, 1> x) {
  check_alike(o, x);
  check_alike(where, x);
  tg::pallas_call(
      [](auto o, auto where, auto x) {
        o[tg::all] = tg::sort(x[tg::all]);
        where[tg::all] = tg::argsort(x[tg::all]);
      },
      tg::out(o), tg::out(where), tg::in(x));
}
TEGULA_INSTANTIATE("sort_array_bool", sort_array<bool>);
TEGULA_INSTANTIATE("sort_array_s8", sort_array<tg::s8>);
TEGULA_INSTANTIATE("sort_array_u8", sort_array<tg::u8>);
TEGULA_INSTANTIATE("sort_array_s16", sort_array<tg::s16>);
TEGULA_INSTANTIATE("sort_array_u16", sort_array<tg::u16>);
TEGULA_INSTANTIATE("sort_array_s32", sort_array<int>);
TEGULA_INSTANTIATE("sort_array_u32", sort_array<tg::u32>);
TEGULA_INSTANTIATE("sort_array_s64", sort_array<tg::s64>);
TEGULA_INSTANTIATE("sort_array_u64", sort_array<tg::u64>);
TEGULA_INSTANTIATE("sort_array_f16", sort_array<tg::f16>);
TEGULA_INSTANTIATE("sort_array_bf16", sort_array<tg::bf16>);
TEGULA_INSTANTIATE("sort_array_f32", sort_array<float>);
TEGULA_INSTANTIATE("sort_array_f64", sort_array<double>);

/// A program a row, the greatest first: the places, and the elements in them.
template <class T>
TEGULA_KERNEL void sort_rows_down(tg::array<T, 2> o, tg::array<int, 2> where, tg::array<const T, 2> x) {
  check_alike(o, x);
  check_alike(where, x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto o, auto where, auto x) {
        const auto sorted = tg::sort(tg::tuple(x[tg::all], tg::iota_like<int, 0>(x[tg::all])), tg::descending);
        o[tg::all] = sorted.first;
        where[tg::all] = sorted.second;
      },
      tg::out<tg::squeezed, tg::whole>(o, row), tg::out<tg::squeezed, tg::whole>(where, row),
      tg::in<tg::squeezed, tg::whole>(x, row));
}
TEGULA_INSTANTIATE("sort_rows_down_u8", sort_rows_down<tg::u8>);
TEGULA_INSTANTIATE("sort_rows_down_s32", sort_rows_down<int>);
TEGULA_INSTANTIATE("sort_rows_down_bf16", sort_rows_down<tg::bf16>);
TEGULA_INSTANTIATE("sort_rows_down_f32", sort_rows_down<float>);
TEGULA_INSTANTIATE("sort_rows_down_f64", sort_rows_down<double>);

/// In place, all rows of an array at once.
template <class T> TEGULA_KERNEL void sort_in_place(tg::array<T, 2> x) {
  tg::pallas_call([](auto x) { x[tg::all] = tg::sort<1>(x[tg::all]); }, tg::inout(x));
}
TEGULA_INSTANTIATE("sort_in_place_u8", sort_in_place<tg::u8>);
TEGULA_INSTANTIATE("sort_in_place_u16", sort_in_place<tg::u16>);
TEGULA_INSTANTIATE("sort_in_place_f32", sort_in_place<float>);

/// Twice in place: neither sort sees what the other one stores.
TEGULA_KERNEL void sort_both_in_place(tg::array<int, 1> x, tg::array<int, 1> y) {
  check_alike(x, y);
  tg::pallas_call(
      [](auto x, auto y) {
        const auto a = tg::sort(x[tg::all]), b = tg::sort(y[tg::all], tg::descending);
        x[tg::all] = b;
        y[tg::all] = a;
      },
      tg::inout(x), tg::inout(y));
}

/// Columns, of blocks that end anywhere, computed before and after.
TEGULA_KERNEL void sort_computed_columns(tg::array<float, 2> o, tg::array<const float, 2> x) {
  check_alike(o, x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(1), 8)}}, [](auto o, auto x) { o[tg::all] = tg::sort<0>(x[tg::all] * -2.0F) + 1.0F; },
      tg::out<tg::whole, 8>(o, column), tg::in<tg::whole, 8>(x, column));
}

/// Elements of other types go with their keys.
template <class K, class V>
TEGULA_KERNEL void sort_pairs(tg::array<K, 1> keys, tg::array<V, 1> o, tg::array<const K, 1> k,
                              tg::array<const V, 1> v) {
  check_alike(keys, k);
  check_alike(o, k);
  check_alike(v, k);
  tg::pallas_call(
      [](auto keys, auto o, auto k, auto v) {
        const auto sorted = tg::sort(tg::tuple(k[tg::all], v[tg::all]));
        keys[tg::all] = sorted.first;
        o[tg::all] = sorted.second;
      },
      tg::out(keys), tg::out(o), tg::in(k), tg::in(v));
}
TEGULA_INSTANTIATE("sort_pairs_u32_u32", sort_pairs<tg::u32, tg::u32>);
TEGULA_INSTANTIATE("sort_pairs_u16_f64", sort_pairs<tg::u16, double>);
TEGULA_INSTANTIATE("sort_pairs_f64_u8", sort_pairs<double, tg::u8>);
TEGULA_INSTANTIATE("sort_pairs_f32_bool", sort_pairs<float, bool>);

/// What went with the keys alone.
TEGULA_KERNEL void values_by_key(tg::array<float, 1> o, tg::array<const tg::s16, 1> k, tg::array<const float, 1> v) {
  check_alike(o, k);
  check_alike(v, k);
  tg::pallas_call(
      [](auto o, auto k, auto v) { o[tg::all] = tg::sort(tg::tuple(k[tg::all], v[tg::all]), tg::descending).second; },
      tg::out(o), tg::in(k), tg::in(v));
}

/// Rows of a static length that no thread group holds.
TEGULA_KERNEL void sort_static_rows(tg::array<double, 2> o, tg::array<const double, 2> x) {
  check_alike(o, x);
  tg::check(x.dim(1) == 10000, "rows have 10000 elements");
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto o, auto x) { o[tg::all] = tg::sort(x[tg::all]); },
      tg::out<tg::squeezed, 10000>(o, row), tg::in<tg::squeezed, 10000>(x, row));
}

/// The greatest few of each row, and where they are.
TEGULA_KERNEL void find_top(tg::array<float, 2> o, tg::array<int, 2> where, tg::array<const float, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && where.dim(0) == x.dim(0) && o.dim(1) == 5 && where.dim(1) == 5, "five of each row");
  tg::check(x.dim(1) >= 5, "rows have five elements");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto o, auto where, auto x) {
        const auto [values, indices] = tg::top_k<5>(x[tg::all]);
        o[tg::all] = values;
        where[tg::all] = indices;
      },
      tg::out<tg::squeezed, 5>(o, row), tg::out<tg::squeezed, 5>(where, row), tg::in<tg::squeezed, tg::whole>(x, row));
}

/// Of 4 rows a block, the last ones beyond the array; a number of each row beside what is sorted.
TEGULA_KERNEL void sort_blocks_of_rows(tg::array<int, 2> o, tg::array<int, 1> sums, tg::array<const int, 2> x) {
  check_alike(o, x);
  tg::check(sums.dim(0) == x.dim(0), "a sum of each row");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [](auto o, auto sums, auto x) {
        sums[tg::all] = tg::sum<1>(x[tg::all]);
        o[tg::all] = tg::sort<1>(x[tg::all]);
      },
      tg::out<4, tg::whole>(o, row), tg::out<4>(sums, [](auto i) { return tg::index(i); }),
      tg::in<4, tg::whole>(x, row));
}
