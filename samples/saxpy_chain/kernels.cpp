// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// x -> scale * x + shift, one function per element.
template <class Tile> struct affine {
  Tile scale, shift;
};

/// First f, then g.
template <class Tile> affine<Tile> chain(const affine<Tile> &f, const affine<Tile> &g) {
  return {f.scale * g.scale, f.shift * g.scale + g.shift};
}

/// Bends what is far from 0 back into (-limit, limit).
template <class Tile> Tile limited(const Tile &x, float limit) { return limit * tg::tanh(x / limit); }

constexpr int rows = 8, columns = 256;
constexpr auto block = [](auto i, auto j) { return tg::index(i, j); };

/// With z = a * x + y: (x z + y) z, limited, and where z is negative, z itself.
/// Two launches; each sees its arrays in blocks that extend past both edges.
template <class T>
TEGULA_KERNEL tg::array<T, 2> saxpy_chain(tg::array<const T, 2> x, tg::array<const T, 2> y, float a, float limit) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ in shape");
  tg::check(limit > 0.0f, "the limit is not positive");
  auto z = tg::empty<float>(x.dim(0), x.dim(1));
  auto o = tg::empty_like(x);
  const tg::grid_shape grid{tg::cdiv(x.dim(0), rows), tg::cdiv(x.dim(1), columns)};

  tg::pallas_call(
      {.grid = grid},
      [=](auto x, auto y, auto z) { z[tg::all] = a * tg::astype<float>(x[tg::all]) + tg::astype<float>(y[tg::all]); },
      tg::in<rows, columns>(x, block), tg::in<rows, columns>(y, block), tg::out<rows, columns>(z, block));

  tg::pallas_call(
      {.grid = grid},
      [=](auto x, auto y, auto z, auto o) {
        const auto u = z[tg::all];
        const affine inner{tg::astype<float>(x[tg::all]), tg::astype<float>(y[tg::all])};
        const affine outer{u, tg::zeros_like(u)};
        const auto [scale, shift] = chain(inner, outer);
        o[tg::all] = tg::astype<T>(tg::where(u < 0.0f, u, limited(scale * u + shift, limit)));
      },
      tg::in<rows, columns>(x, block), tg::in<rows, columns>(y, block), tg::in<rows, columns>(z, block),
      tg::out<rows, columns>(o, block));
  return o;
}
TEGULA_INSTANTIATE("saxpy_chain_f32", saxpy_chain<float>);
TEGULA_INSTANTIATE("saxpy_chain_bf16", saxpy_chain<tg::bf16>);
