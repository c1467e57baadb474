// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// One sum per row: a program each.
TEGULA_KERNEL tg::array<float, 1> sums_of_rows(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[] = tg::sum(x[tg::all]); },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
  return o;
}

/// One sum per column. There is no grid: one program over the whole array, which tegulac spreads over the columns.
TEGULA_KERNEL tg::array<float, 1> sums_of_columns(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(1));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::sum<0>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

/// The sum of everything: an array of rank 0 holds one number.
TEGULA_KERNEL tg::array<float, 0> sum_of_all(tg::array<const float, 1> x) {
  auto o = tg::empty<float>();
  tg::pallas_call([](auto x, auto o) { o[] = tg::sum(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
