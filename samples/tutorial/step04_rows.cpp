// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

/// The sum of each row: a program for each row.
TEGULA_KERNEL tg::array<float, 1> sums_of_rows(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[] = tg::sum(x[tg::all]); },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
  return o;
}

/// exp(x) / sum(exp(x)) of each row. The greatest element is subtracted first, so that nothing overflows.
TEGULA_KERNEL tg::array<float, 2> softmax(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto e = tg::exp(x[tg::all] - tg::max(x[tg::all]));
        o[tg::all] = e / tg::sum(e);
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}
