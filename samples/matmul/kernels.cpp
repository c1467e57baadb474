// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// x y in two by two blocks, whatever the sizes: the shapes of the blocks are run-time values, and the last blocks may
/// extend past the edge. A block of this product fits no register and no multiprocessor; how it is cut is tegulac's
/// work.
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

/// x y^T on tensor cores: f32 is read as tf32, with 10 bits after the point. Without the option f32 is multiplied in
/// IEEE arithmetic.
TEGULA_KERNEL tg::array<float, 2> matmul_tf32(tg::array<const float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(1) == y.dim(1), "the inner dimensions of x and y differ");
  const auto m = tg::cdiv(x.dim(0), 2), n = tg::cdiv(y.dim(0), 2), k = x.dim(1);
  auto z = tg::empty<float>(x.dim(0), y.dim(0));
  tg::pallas_call(
      {.grid = {2, 2}},
      [](auto x, auto y, auto z) {
        z[tg::all] = tg::dot(x[tg::all], tg::transpose(y[tg::all]), {.precision = tg::precision::tf32});
      },
      tg::in(x, {m, k}, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in(y, {n, k}, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out(z, {m, n}, [](auto i, auto j) { return tg::index(i, j); }));
  return z;
}
