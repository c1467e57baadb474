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
