// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with weights that are quantised by groups: a number of few bits, times the scale of its group.
#include <tegula/tegula.h>
namespace tg = tegula;

/// 64 weights along the sum share a scale.
constexpr int group = 64;

template <class T> using matrix = tg::array<T, 2>;

/// a (M, K) times w (N, K) transposed; scales (N, K / 64), of powers of two or others.
template <class W, class S, class A>
TEGULA_KERNEL void by_rows(matrix<const A> a, matrix<const W> w, matrix<const S> scales, matrix<float> o) {
  tg::check(a.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && a.dim(1) == w.dim(1), "the shapes do not fit");
  tg::check(scales.dim(0) == w.dim(0) && scales.dim(1) == tg::cdiv(w.dim(1), group), "a scale for each group");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
      [](auto a, auto w, auto scales, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < a.dim(1); k += group) {
          const auto scale = tg::astype<A>(scales[tg::all, tg::ds<1>(k / group)]);
          const auto b = tg::astype<A>(w[tg::all, tg::ds<group>(k)]) * scale;
          sum += tg::dot(a[tg::all, tg::ds<group>(k)], tg::transpose(b));
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::any>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<64, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<64, tg::any>(scales, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

/// a (M, K) times w (K, N); scales (K / 64, N).
template <class W, class S, class A>
TEGULA_KERNEL void by_columns(matrix<const A> a, matrix<const W> w, matrix<const S> scales, matrix<float> o) {
  tg::check(a.dim(0) == o.dim(0) && w.dim(1) == o.dim(1) && a.dim(1) == w.dim(0), "the shapes do not fit");
  tg::check(scales.dim(1) == w.dim(1) && scales.dim(0) == tg::cdiv(w.dim(0), group), "a scale for each group");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
      [](auto a, auto w, auto scales, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < a.dim(1); k += group) {
          const auto scale = tg::astype<A>(scales[tg::ds<1>(k / group), tg::all]);
          sum += tg::dot(a[tg::all, tg::ds<group>(k)], tg::astype<A>(w[tg::ds<group>(k), tg::all]) * scale);
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::any>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::any, 64>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::any, 64>(scales, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

/// Weights as the left factor, without scales.
template <class W, class A> TEGULA_KERNEL void left(matrix<const W> w, matrix<const A> b, matrix<float> o) {
  tg::check(w.dim(0) == o.dim(0) && b.dim(1) == o.dim(1) && w.dim(1) == b.dim(0), "the shapes do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
      [](auto w, auto b, auto o) {
        auto sum = tg::zeros<float, 64, 64>();
        for (tg::s64 k = 0; k < w.dim(1); k += group)
          sum += tg::dot(tg::astype<A>(w[tg::all, tg::ds<group>(k)]), b[tg::ds<group>(k), tg::all]);
        o[tg::all] = sum;
      },
      tg::in<64, tg::any>(w, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::any, 64>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

TEGULA_INSTANTIATE("by_rows_s4", by_rows<tg::s4, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("by_rows_u4", by_rows<tg::u4, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("by_rows_e2m1", by_rows<tg::e2m1, tg::e8m0, tg::bf16>);
TEGULA_INSTANTIATE("by_columns_s4", by_columns<tg::s4, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("by_columns_e2m1", by_columns<tg::e2m1, tg::e8m0, tg::bf16>);
TEGULA_INSTANTIATE("by_columns_e4m3", by_columns<tg::e4m3, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("left_s4", left<tg::s4, tg::bf16>);
TEGULA_INSTANTIATE("left_e2m1", left<tg::e2m1, tg::f16>);
