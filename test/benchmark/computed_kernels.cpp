// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose factors are computed on their way to the tensor cores.
#include <tegula/tegula.h>
namespace tg = tegula;

namespace computed {

/// Of factors that are converted.
template <int K, class T, class A, class B, class Sum = float, class Result = tg::bf16,
          tg::precision P = tg::precision::ieee>
TEGULA_KERNEL void converted(tg::array<const A, 2> a, tg::array<const B, 2> b, tg::array<Result, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 256)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<Sum, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(tg::astype<T>(a[tg::all, tg::ds<K>(K * k)]), tg::astype<T>(b[tg::ds<K>(K * k), tg::all]),
                         {.precision = P});
        o[tg::all] = tg::astype<Result>(sum);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("none", converted<64, tg::bf16, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("left_f32", converted<64, tg::bf16, float, tg::bf16>);
TEGULA_INSTANTIATE("left_s8", converted<64, tg::bf16, tg::s8, tg::bf16>);
TEGULA_INSTANTIATE("right_f32", converted<64, tg::bf16, tg::bf16, float>);
TEGULA_INSTANTIATE("right_s8", converted<64, tg::bf16, tg::bf16, tg::s8>);
TEGULA_INSTANTIATE("both_f32", converted<64, tg::bf16, float, float>);
// Of types that tensor cores take along the rows, b as K x N: transposed on its way.
TEGULA_INSTANTIATE("columns_s8", converted<128, tg::s8, tg::s8, tg::s8, tg::s32, tg::s32>);
TEGULA_INSTANTIATE("columns_e4m3", converted<128, tg::e4m3, tg::e4m3, tg::e4m3>);
TEGULA_INSTANTIATE("columns_tf32", converted<32, float, float, float, float, float, tg::precision::tf32>);
// Of float, by three products.
TEGULA_INSTANTIATE("tf32x3", converted<32, float, float, float, float, float, tg::precision::tf32x3>);
TEGULA_INSTANTIATE("bf16x3", converted<64, float, float, float, float, float, tg::precision::bf16x3>);

/// Weights of 8 bits as N x K, each row of them with numbers for 64 neighbours.
TEGULA_KERNEL void quantized(tg::array<const tg::bf16, 2> a, tg::array<const tg::s8, 2> b, tg::array<const float, 2> s,
                             tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(1) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(0), "a, b and o do not fit");
  tg::check(s.dim(0) == tg::cdiv(b.dim(1), 64) && s.dim(1) == b.dim(0), "b and s do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 256)}},
      [](auto a, auto b, auto s, auto o) {
        auto sum = tg::zeros<float, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          const auto weights = tg::transpose(b[tg::all, tg::ds<64>(64 * k)]);
          const auto scaled = tg::astype<float>(weights) * s[k, tg::all][tg::newaxis, tg::all];
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], tg::astype<tg::bf16>(scaled));
        }
        o[tg::all] = tg::astype<tg::bf16>(sum);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<256, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<tg::whole, 256>(s, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

} // namespace computed
