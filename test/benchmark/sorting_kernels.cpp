// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row = [](auto i) { return tg::index(i, 0); };

template <class T, int N> TEGULA_KERNEL tg::array<T, 2> sort_rows(tg::array<const T, 2> x) {
  tg::check(x.dim(1) == N, "a block is a row");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = tg::sort(x[tg::all]); }, tg::in<tg::squeezed, N>(x, row),
      tg::out<tg::squeezed, N>(o, row));
  return o;
}
TEGULA_INSTANTIATE("sort_1024_f32", sort_rows<float, 1024>);
TEGULA_INSTANTIATE("sort_1024_bf16", sort_rows<tg::bf16, 1024>);
TEGULA_INSTANTIATE("sort_8192_f32", sort_rows<float, 8192>);

template <int N> TEGULA_KERNEL tg::array<int, 2> argsort_rows(tg::array<const float, 2> x) {
  tg::check(x.dim(1) == N, "a block is a row");
  auto o = tg::empty<int>(x.dim(0), x.dim(1));
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = tg::argsort(x[tg::all]); },
      tg::in<tg::squeezed, N>(x, row), tg::out<tg::squeezed, N>(o, row));
  return o;
}
TEGULA_INSTANTIATE("argsort_1024_f32", argsort_rows<1024>);
TEGULA_INSTANTIATE("argsort_8192_f32", argsort_rows<8192>);

template <class T> TEGULA_KERNEL tg::array<T, 1> sort_array(tg::array<const T, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::sort(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("sort_array_u32", sort_array<tg::u32>);
TEGULA_INSTANTIATE("sort_array_u64", sort_array<tg::u64>);
TEGULA_INSTANTIATE("sort_array_bf16", sort_array<tg::bf16>);

template <class T> TEGULA_KERNEL tg::array<int, 1> argsort_array(tg::array<const T, 1> x) {
  auto o = tg::empty<int>(x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::argsort(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("argsort_array_u32", argsort_array<tg::u32>);
TEGULA_INSTANTIATE("argsort_array_f32", argsort_array<float>);
TEGULA_INSTANTIATE("argsort_array_u64", argsort_array<tg::u64>);

/// The sorted elements, and where they were.
TEGULA_KERNEL tg::array<tg::u32, 1> sort_both_u32(tg::array<const tg::u32, 1> x, tg::array<int, 1> where) {
  tg::check(x.dim(0) == where.dim(0), "a place for each element");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o, auto where) {
        const auto sorted = tg::sort(tg::tuple(x[tg::all], tg::iota_like<int, 0>(x[tg::all])));
        o[tg::all] = sorted.first;
        where[tg::all] = sorted.second;
      },
      tg::in(x), tg::out(o), tg::out(where));
  return o;
}
