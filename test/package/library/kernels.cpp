// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 1> doubled(tg::array<const float, 1> x) {
  tg::check(x.dim(0) > 0, "there is nothing to double");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = 2 * x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
