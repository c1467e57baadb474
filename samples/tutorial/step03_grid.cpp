// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// x[i, j] * scale[i] + shift[j], in blocks of 32 x 128.
TEGULA_KERNEL tg::array<float, 2> scale_and_shift(tg::array<const float, 2> x, tg::array<const float, 1> scale,
                                                  tg::array<const float, 1> shift) {
  tg::check(scale.dim(0) == x.dim(0) && shift.dim(0) == x.dim(1), "scale or shift does not fit x");
  auto o = tg::empty_like(x);
  const auto both = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32), tg::cdiv(x.dim(1), 128)}},
      [](auto x, auto scale, auto shift, auto o) {
        o[tg::all] = x[tg::all] * scale[tg::all, tg::newaxis] + shift[tg::newaxis, tg::all];
      },
      tg::in<32, 128>(x, both), tg::in<32>(scale, [](auto i, auto) { return tg::index(i); }),
      tg::in<128>(shift, [](auto, auto j) { return tg::index(j); }), tg::out<32, 128>(o, both));
  return o;
}
