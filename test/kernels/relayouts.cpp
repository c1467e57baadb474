// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that lie otherwise than another op wants them: through registers, by shuffles, and through shared memory. Which
// way each of these takes, test/lower/relayout-routes.cpp says.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto vector_of = [](auto i) { return tg::index(i, 0); };
constexpr auto square_of = [](auto i) { return tg::index(i, 0, 0); };

/// What reductions along rows and along columns leave, in one tile: squares of N x N, one for each program.
template <class T, int N> TEGULA_KERNEL void both_ways(tg::array<const T, 3> x, tg::array<T, 2> o) {
  tg::check(x.dim(1) == x.dim(2) && x.dim(1) == o.dim(1), "these are no squares");
  tg::pallas_call(
      {.grid = {o.dim(0)}},
      [](auto x, auto o) {
        const auto t = x[tg::all];
        o[tg::all] = tg::max<1>(t) - tg::min<0>(t);
      },
      tg::in<tg::squeezed, N, N>(x, square_of), tg::out<tg::squeezed, N>(o, vector_of));
}

/// A square and its transposition.
template <class T, int N> TEGULA_KERNEL void both_sides(tg::array<const T, 3> x, tg::array<T, 3> o) {
  tg::check(x.dim(1) == x.dim(2) && x.dim(1) == o.dim(1) && x.dim(1) == o.dim(2), "these are no squares");
  tg::pallas_call(
      {.grid = {o.dim(0)}},
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int i = 0; i < 3; ++i)
          t = t - tg::transpose(t) * T(2);
        o[tg::all] = t;
      },
      tg::in<tg::squeezed, N, N>(x, square_of), tg::out<tg::squeezed, N, N>(o, square_of));
}

/// A product and a transposed tile: sub-tiles of 128 x 128, of which the relayout takes more memory than there is.
template <class T>
TEGULA_KERNEL tg::array<T, 2> product_and_transposed(tg::array<const T, 2> a, tg::array<const T, 2> b,
                                                     tg::array<const T, 2> d) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(0) == d.dim(1) && b.dim(1) == d.dim(0), "a b and the transposed d differ");
  auto c = tg::empty<T>(a.dim(0), b.dim(1));
  tg::pallas_call(
      [](auto a, auto b, auto d, auto c) { c[tg::all] = tg::dot(a[tg::all], b[tg::all]) + tg::transpose(d[tg::all]); },
      tg::in(a), tg::in(b), tg::in(d), tg::out(c));
  return c;
}
TEGULA_INSTANTIATE("product_and_transposed_f32", product_and_transposed<tg::f32>);
TEGULA_INSTANTIATE("product_and_transposed_s64", product_and_transposed<tg::s64>);

TEGULA_INSTANTIATE("both_ways_f32_2", both_ways<tg::f32, 2>);
TEGULA_INSTANTIATE("both_ways_f32_4", both_ways<tg::f32, 4>);
TEGULA_INSTANTIATE("both_ways_f32_8", both_ways<tg::f32, 8>);
TEGULA_INSTANTIATE("both_ways_f32_32", both_ways<tg::f32, 32>);
TEGULA_INSTANTIATE("both_ways_f32_64", both_ways<tg::f32, 64>);
TEGULA_INSTANTIATE("both_ways_f64_16", both_ways<tg::f64, 16>);
TEGULA_INSTANTIATE("both_ways_bf16_32", both_ways<tg::bf16, 32>);
TEGULA_INSTANTIATE("both_ways_s8_16", both_ways<tg::s8, 16>);
TEGULA_INSTANTIATE("both_ways_s16_64", both_ways<tg::s16, 64>);

TEGULA_INSTANTIATE("both_sides_s32_2", both_sides<tg::s32, 2>);
TEGULA_INSTANTIATE("both_sides_s32_4", both_sides<tg::s32, 4>);
TEGULA_INSTANTIATE("both_sides_s32_8", both_sides<tg::s32, 8>);
TEGULA_INSTANTIATE("both_sides_s32_16", both_sides<tg::s32, 16>);
TEGULA_INSTANTIATE("both_sides_s64_16", both_sides<tg::s64, 16>);
TEGULA_INSTANTIATE("both_sides_u16_16", both_sides<tg::u16, 16>);
TEGULA_INSTANTIATE("both_sides_s32_32", both_sides<tg::s32, 32>);
