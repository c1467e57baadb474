// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by weights of few bits with scales, in blocks for Hopper's tensor cores.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<T, 2>;

/// Steps of the sum are those of whole groups, and as many as a factor takes.
template <int group> inline constexpr int depth_of = group < 64 ? group : 64;

/// x (M, K) times the transpose of w (N, K); scales (N, K / group).
template <class W, class A, int group, int rows, int columns>
TEGULA_KERNEL void right(matrix<const A> x, matrix<const W> w, matrix<const A> scales, matrix<A> o) {
  tg::check(x.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && x.dim(1) == w.dim(1), "the shapes do not fit");
  tg::check(scales.dim(0) == w.dim(0) && scales.dim(1) == tg::cdiv(w.dim(1), group), "a scale for each group");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), rows), tg::cdiv(o.dim(1), columns)}},
      [](auto x, auto w, auto scales, auto o) {
        constexpr int depth = depth_of<group>;
        auto sum = tg::zeros<float, rows, columns>();
        for (tg::s64 k = 0; k < w.dim(1); k += depth) {
          const auto b = tg::astype<A>(w[tg::all, tg::ds<depth>(k)]) * scales[tg::all, tg::ds<1>(k / group)];
          sum += tg::dot(x[tg::all, tg::ds<depth>(k)], tg::transpose(b));
        }
        o[tg::all] = tg::astype<A>(sum);
      },
      tg::in<rows, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<columns, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<columns, tg::any>(scales, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<rows, columns>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

/// The same with scales (K / group, N), and a matrix and a row that the result is combined with.
template <class W, class A, int group, int rows, int columns>
TEGULA_KERNEL void combined(matrix<const A> x, matrix<const W> w, matrix<const A> scales, matrix<const A> more,
                            tg::array<const float, 1> bias, matrix<float> o) {
  tg::check(x.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && x.dim(1) == w.dim(1), "the shapes do not fit");
  tg::check(scales.dim(1) == w.dim(0) && scales.dim(0) == tg::cdiv(w.dim(1), group), "a scale for each group");
  tg::check(more.dim(0) == o.dim(0) && more.dim(1) == o.dim(1) && bias.dim(0) == o.dim(1), "of the result");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), rows), tg::cdiv(o.dim(1), columns)}},
      [](auto x, auto w, auto scales, auto more, auto bias, auto o) {
        constexpr int depth = depth_of<group>;
        auto sum = tg::zeros<float, rows, columns>();
        for (tg::s64 k = 0; k < w.dim(1); k += depth) {
          const auto scale = scales[k / group, tg::all];
          const auto b = tg::astype<A>(w[tg::all, tg::ds<depth>(k)]) * scale[tg::all, tg::newaxis];
          sum += tg::dot(x[tg::all, tg::ds<depth>(k)], tg::transpose(b));
        }
        const auto plus = 2.0f * tg::astype<float>(more[tg::all]);
        o[tg::all] = (sum + plus) + bias[tg::all][tg::newaxis, tg::all];
      },
      tg::in<rows, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<columns, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<tg::any, columns>(scales, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<rows, columns>(more, [](auto i, auto j) { return tg::index(i, j); }),
      tg::in<columns>(bias, [](auto, auto j) { return tg::index(j); }),
      tg::out<rows, columns>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

/// A matrix plus x (M, K) times the transpose of w (N, K), without scales: the sum begins with it.
template <class W, class A, int rows, int columns>
TEGULA_KERNEL void continued(matrix<const A> x, matrix<const W> w, matrix<const float> more, matrix<float> o) {
  tg::check(x.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && x.dim(1) == w.dim(1), "the shapes do not fit");
  tg::check(more.dim(0) == o.dim(0) && more.dim(1) == o.dim(1), "of the result");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), rows), tg::cdiv(o.dim(1), columns)}},
      [](auto x, auto w, auto more, auto o) {
        auto sum = more[tg::all];
        for (tg::s64 k = 0; k < w.dim(1); k += 64)
          sum += tg::dot(x[tg::all, tg::ds<64>(k)], tg::transpose(tg::astype<A>(w[tg::all, tg::ds<64>(k)])));
        o[tg::all] = sum;
      },
      tg::in<rows, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<columns, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<rows, columns>(more, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<rows, columns>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

/// w (N, K) times x (M, K) transposed, stored as (M, N): what the others become.
template <class W, class A, int group, int rows, int columns>
TEGULA_KERNEL void left(matrix<const A> x, matrix<const W> w, matrix<const A> scales, matrix<A> o) {
  tg::check(x.dim(0) == o.dim(0) && w.dim(0) == o.dim(1) && x.dim(1) == w.dim(1), "the shapes do not fit");
  tg::check(scales.dim(0) == w.dim(0) && scales.dim(1) == tg::cdiv(w.dim(1), group), "a scale for each group");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), rows), tg::cdiv(o.dim(1), columns)}},
      [](auto x, auto w, auto scales, auto o) {
        constexpr int depth = depth_of<group>;
        auto sum = tg::zeros<float, columns, rows>();
        for (tg::s64 k = 0; k < w.dim(1); k += depth) {
          const auto a = tg::astype<A>(w[tg::all, tg::ds<depth>(k)]) * scales[tg::all, tg::ds<1>(k / group)];
          sum += tg::dot(a, tg::transpose(x[tg::all, tg::ds<depth>(k)]));
        }
        tg::transpose_ref(o)[tg::all] = tg::astype<A>(sum);
      },
      tg::in<rows, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<columns, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<columns, tg::any>(scales, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<rows, columns>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

/// x (M, K) times w (K, N); scales (K / group, N).
template <class W, class A, int group, int rows, int columns>
TEGULA_KERNEL void by_columns(matrix<const A> x, matrix<const W> w, matrix<const A> scales, matrix<A> o) {
  tg::check(x.dim(0) == o.dim(0) && w.dim(1) == o.dim(1) && x.dim(1) == w.dim(0), "the shapes do not fit");
  tg::check(scales.dim(1) == w.dim(1) && scales.dim(0) == tg::cdiv(w.dim(0), group), "a scale for each group");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), rows), tg::cdiv(o.dim(1), columns)}},
      [](auto x, auto w, auto scales, auto o) {
        constexpr int depth = depth_of<group>;
        auto sum = tg::zeros<float, rows, columns>();
        for (tg::s64 k = 0; k < w.dim(0); k += depth) {
          const auto b = tg::astype<A>(w[tg::ds<depth>(k), tg::all]) * scales[tg::ds<1>(k / group), tg::all];
          sum += tg::dot(x[tg::all, tg::ds<depth>(k)], b);
        }
        o[tg::all] = tg::astype<A>(sum);
      },
      tg::in<rows, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::any, columns>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::any, columns>(scales, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<rows, columns>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

TEGULA_INSTANTIATE("right_s4_bf16", right<tg::s4, tg::bf16, 128, 256, 128>);
TEGULA_INSTANTIATE("right_s4_f16", right<tg::s4, tg::f16, 64, 128, 128>);
TEGULA_INSTANTIATE("right_u4_bf16", right<tg::u4, tg::bf16, 32, 128, 64>);
TEGULA_INSTANTIATE("right_u4_f16", right<tg::u4, tg::f16, 128, 16, 128>);
TEGULA_INSTANTIATE("right_e2m1_bf16", right<tg::e2m1, tg::bf16, 32, 64, 128>);
TEGULA_INSTANTIATE("right_e2m1_f16", right<tg::e2m1, tg::f16, 64, 64, 64>);
TEGULA_INSTANTIATE("right_s8_bf16", right<tg::s8, tg::bf16, 128, 256, 128>);
TEGULA_INSTANTIATE("right_s8_f16", right<tg::s8, tg::f16, 64, 64, 128>);
TEGULA_INSTANTIATE("right_u8_bf16", right<tg::u8, tg::bf16, 128, 64, 64>);
TEGULA_INSTANTIATE("right_e4m3_bf16", right<tg::e4m3, tg::bf16, 128, 128, 128>);
TEGULA_INSTANTIATE("right_e4m3_f16", right<tg::e4m3, tg::f16, 32, 128, 64>);
TEGULA_INSTANTIATE("combined_s4", combined<tg::s4, tg::bf16, 128, 128, 128>);
TEGULA_INSTANTIATE("combined_s8", combined<tg::s8, tg::f16, 64, 64, 128>);
TEGULA_INSTANTIATE("continued_s4", continued<tg::s4, tg::bf16, 16, 64>);
TEGULA_INSTANTIATE("right_s4_few", right<tg::s4, tg::bf16, 64, 16, 64>);
TEGULA_INSTANTIATE("left_s4_bf16", left<tg::s4, tg::bf16, 128, 256, 128>);
TEGULA_INSTANTIATE("left_u4_f16", left<tg::u4, tg::f16, 64, 32, 64>);
TEGULA_INSTANTIATE("by_columns_s4", by_columns<tg::s4, tg::bf16, 128, 128, 128>);
TEGULA_INSTANTIATE("by_columns_s8", by_columns<tg::s8, tg::bf16, 64, 128, 128>);
