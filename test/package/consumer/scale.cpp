// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>

#include "factor.h"

namespace tg = tegula;

/// x * factor + SHIFT.
TEGULA_KERNEL tg::array<float, 1> scale(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] * factor + float(SHIFT); }, tg::in(x), tg::out(o));
  return o;
}
