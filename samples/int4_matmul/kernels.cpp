// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer whose weights are quantised: integers of 4 bits, two to a byte, and a scale for each group of 128 along the
// sum and each column of the result.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr int group = 128;

/// x (M, K) times the transpose of w (N, K), whose row n has the scales (K / 128, n). A program has a block of `rows`
/// by `columns` of the result, and sums `depth` elements at a time.
template <class T, int rows, int columns, int depth>
TEGULA_KERNEL void int4_matmul(tg::array<const T, 2> x, tg::array<const tg::s4, 2> w, tg::array<const T, 2> scales,
                               tg::array<T, 2> o) {
  tg::check(x.dim(1) == w.dim(1), "x is (M, K) and w (N, K)");
  tg::check(scales.dim(0) == tg::cdiv(w.dim(1), group) && scales.dim(1) == w.dim(0), "scales are (K / 128, N)");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(0), "o is (M, N)");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), rows), tg::cdiv(w.dim(0), columns)}},
      [](auto x, auto w, auto scales, auto o) {
        auto sum = tg::zeros<float, rows, columns>();
        for (tg::s64 k = 0; k < w.dim(1); k += depth) {
          const auto scale = scales[k / group, tg::all];
          const auto weights = tg::astype<T>(w[tg::all, tg::ds<depth>(k)]) * scale[tg::all, tg::newaxis];
          sum += tg::dot(x[tg::all, tg::ds<depth>(k)], tg::transpose(weights));
        }
        o[tg::all] = tg::astype<T>(sum);
      },
      tg::in<rows, tg::any>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<columns, tg::any>(w, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<tg::any, columns>(scales, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<rows, columns>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
// Of few rows, weights are read by as many programs as there are multiprocessors, 64 each; of many, each is read once
// for 256.
TEGULA_INSTANTIATE("int4_matmul_16", int4_matmul<tg::bf16, 16, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_16", int4_matmul<tg::f16, 16, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_32", int4_matmul<tg::bf16, 32, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_32", int4_matmul<tg::f16, 32, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_64", int4_matmul<tg::bf16, 64, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_64", int4_matmul<tg::f16, 64, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_128", int4_matmul<tg::bf16, 128, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_128", int4_matmul<tg::f16, 128, 64, 128>);
TEGULA_INSTANTIATE("int4_matmul_256", int4_matmul<tg::bf16, 256, 128, 64>);
TEGULA_INSTANTIATE("int4_matmul_256", int4_matmul<tg::f16, 256, 128, 64>);
