// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// silu(x w + bias): a program for each block of 128 x 128 results.
TEGULA_KERNEL tg::array<tg::f16, 2> linear(tg::array<const tg::f16, 2> x, tg::array<const tg::f16, 2> w,
                                           tg::array<const float, 1> bias) {
  tg::check(x.dim(1) == w.dim(0), "the inner dimensions of x and w differ");
  tg::check(bias.dim(0) == w.dim(1), "the bias has an element for each column of w");
  auto o = tg::empty<tg::f16>(x.dim(0), w.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(w.dim(1), 128)}},
      [](auto x, auto w, auto bias, auto o) {
        const auto sum = tg::dot(x[tg::all], w[tg::all]) + bias[tg::newaxis, tg::all]; // in float
        o[tg::all] = tg::astype<tg::f16>(sum * tg::logistic(sum));
      },
      tg::in<128, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<128>(bias, [](auto, auto j) { return tg::index(j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
