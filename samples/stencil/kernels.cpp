// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils: sums of shifted windows. A thread has a column of some rows, and loads what neighbouring rows need, too,
// once.
#include <tegula/tegula.h>
namespace tg = tegula;

/// The 3 x 3 neighbourhood of each inner element, weighted: o is two rows and two columns smaller than x.
template <class T> TEGULA_KERNEL tg::array<T, 2> correlate(tg::array<const T, 2> x, tg::array<const float, 2> weights) {
  tg::check(x.dim(0) >= 2 && x.dim(1) >= 2, "x has no inner elements");
  tg::check(weights.dim(0) == 3 && weights.dim(1) == 3, "weights are 3 x 3");
  auto o = tg::empty<T>(x.dim(0) - 2, x.dim(1) - 2);
  tg::pallas_call(
      [](auto x, auto weights, auto o) {
        const auto rows = o.dim(0), columns = o.dim(1);
        auto sum = tg::full<float>(0, rows, columns);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            sum += weights[i, j] * tg::astype<float>(x[tg::ds(i, rows), tg::ds(j, columns)]);
        o[tg::all] = tg::astype<T>(sum);
      },
      tg::in(x), tg::in(weights), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("correlate", correlate<float>);
TEGULA_INSTANTIATE("correlate", correlate<tg::bf16>);

/// A step of the heat equation in 3-D, u + k laplace(u), of what is not at the border, which stays as it is.
TEGULA_KERNEL tg::array<float, 3> heat(tg::array<const float, 3> u, float k) {
  tg::check(u.dim(0) >= 2 && u.dim(1) >= 2 && u.dim(2) >= 2, "u has no inner elements");
  auto o = tg::empty<float>(u.dim(0) - 2, u.dim(1) - 2, u.dim(2) - 2);
  tg::pallas_call(
      [=](auto u, auto o) {
        const auto at = [&](int i, int j, int l) {
          return u[tg::ds(1 + i, o.dim(0)), tg::ds(1 + j, o.dim(1)), tg::ds(1 + l, o.dim(2))];
        };
        const auto here = at(0, 0, 0);
        const auto laplace = at(-1, 0, 0) + at(1, 0, 0) + at(0, -1, 0) + at(0, 1, 0) + at(0, 0, -1) + at(0, 0, 1);
        o[tg::all] = here + k * (laplace - 6 * here);
      },
      tg::in(u), tg::out(o));
  return o;
}
