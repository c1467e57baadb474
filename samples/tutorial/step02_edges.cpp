// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto block = [](auto i) { return tg::index(i); };

/// y += a x, in blocks of 1024 elements, of which the last one may be shorter.
TEGULA_KERNEL void axpy(float a, tg::array<const float, 1> x, tg::array<float, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 1024)}}, [=](auto x, auto y) { y[tg::all] += a * x[tg::all]; },
      tg::in<1024>(x, block), tg::inout<1024>(y, block));
}
