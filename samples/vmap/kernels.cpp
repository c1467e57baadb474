// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// x y: two by two blocks of run-time shape.
TEGULA_KERNEL tg::array<float, 2> matmul(tg::array<const float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(1) == y.dim(0), "the inner dimensions of x and y differ");
  const auto m = tg::cdiv(x.dim(0), 2), n = tg::cdiv(y.dim(1), 2), k = x.dim(1);
  auto z = tg::empty<float>(x.dim(0), y.dim(1));
  tg::pallas_call(
      {.grid = {2, 2}}, [](auto x, auto y, auto z) { z[tg::all] = tg::dot(x[tg::all], y[tg::all]); },
      tg::in(x, {m, k}, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in(y, {k, n}, [](auto, auto j) { return tg::index(0, j); }),
      tg::out(z, {m, n}, [](auto i, auto j) { return tg::index(i, j); }));
  return z;
}

/// xs[b] y for every b: the batch becomes a leading axis of the grid that is there already.
TEGULA_KERNEL tg::array<float, 3> batched_matmul(tg::array<const float, 3> xs, tg::array<const float, 2> y) {
  return tg::vmap(matmul, tg::over(xs, 0), y);
}

/// Nested, along other axes: zs[b, :, c, :] = xs[b] ys[:, :, c].
TEGULA_KERNEL tg::array<float, 4> all_pairs(tg::array<const float, 3> xs, tg::array<const float, 3> ys) {
  return tg::vmap(
      [&](auto x) { return tg::vmap({.out_axis = 1}, [&](auto y) { return matmul(x, y); }, tg::over(ys, 2)); },
      tg::over(xs, 0));
}

/// x / |x|, a * x + b: reductions and elementwise work of one vector...
TEGULA_KERNEL tg::array<float, 1> normalised(tg::array<const float, 1> x, tg::array<const float, 1> a,
                                             tg::array<const float, 0> b) {
  tg::check(x.dim(0) == a.dim(0), "a has an element per element of x");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto a, auto b, auto o) {
        const auto t = x[tg::all];
        o[tg::all] = a[tg::all] * t * tg::rsqrt(tg::sum(tg::square(t))) + b[];
      },
      tg::in(x), tg::in(a), tg::in(b), tg::out(o));
  return o;
}
/// ... on every column of a matrix, with a column of `a` and an element of `b` each.
TEGULA_KERNEL tg::array<float, 2> normalised_columns(tg::array<const float, 2> x, tg::array<const float, 2> a,
                                                     tg::array<const float, 1> b) {
  return tg::vmap({.out_axis = 1}, normalised, tg::over(x, 1), tg::over(a, 1), tg::over(b, 0));
}
