// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// x + y, element by element, of any length.
TEGULA_KERNEL tg::array<float, 1> add(tg::array<const float, 1> x, tg::array<const float, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] + y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
