// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products as they are written at the portable level.
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef TEGULA_PORTABLE
#define TEGULA_PORTABLE portable
#endif

namespace TEGULA_PORTABLE {

/// A loop over k.
template <int M, int N, class T, int Cluster = 0>
TEGULA_KERNEL void matmul(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::array<T, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(1), N)}, .cluster = Cluster},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, M, N>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
        o[tg::all] = tg::astype<T>(sum);
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<M, N>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("matmul_bf16", matmul<128, 256, tg::bf16>);
TEGULA_INSTANTIATE("matmul_f16", matmul<128, 256, tg::f16>);
TEGULA_INSTANTIATE("matmul_bf16_pairs", matmul<128, 256, tg::bf16, 2>);

/// One of four blocks by a program, whole rows by whole columns.
template <int Cluster>
TEGULA_KERNEL void quarters(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  const auto m = tg::cdiv(a.dim(0), 2), n = tg::cdiv(b.dim(1), 2), k = a.dim(1);
  tg::pallas_call(
      {.grid = {2, 2}, .cluster = Cluster},
      [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
      tg::in(a, {m, k}, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in(b, {k, n}, [](auto, auto j) { return tg::index(0, j); }),
      tg::out(o, {m, n}, [](auto i, auto j) { return tg::index(i, j); }));
}

TEGULA_INSTANTIATE("quarters_bf16", quarters<0>);
TEGULA_INSTANTIATE("quarters_bf16_pairs", quarters<2>);

/// The first one, with b as N x K: of what tensor cores take no other way round.
template <int K, class T, class Sum, class Result, tg::precision P = tg::precision::ieee, int Cluster = 0>
TEGULA_KERNEL void matmul_of_rows(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::array<Result, 2> o) {
  tg::check(a.dim(1) == b.dim(1) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(0), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 256)}, .cluster = Cluster},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<Sum, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(a[tg::all, tg::ds<K>(K * k)], tg::transpose(b[tg::all, tg::ds<K>(K * k)]), {.precision = P});
        o[tg::all] = tg::astype<Result>(sum);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<256, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("matmul_tf32", matmul_of_rows<32, float, float, float, tg::precision::tf32>);
TEGULA_INSTANTIATE("matmul_e4m3", matmul_of_rows<128, tg::e4m3, float, tg::bf16>);
TEGULA_INSTANTIATE("matmul_s8", matmul_of_rows<128, tg::s8, tg::s32, tg::s32>);
TEGULA_INSTANTIATE("matmul_tf32_pairs", matmul_of_rows<32, float, float, float, tg::precision::tf32, 2>);
TEGULA_INSTANTIATE("matmul_e4m3_pairs", matmul_of_rows<128, tg::e4m3, float, tg::bf16, tg::precision::ieee, 2>);
TEGULA_INSTANTIATE("matmul_s8_pairs", matmul_of_rows<128, tg::s8, tg::s32, tg::s32, tg::precision::ieee, 2>);
TEGULA_INSTANTIATE("matmul_bf16_nk", matmul_of_rows<64, tg::bf16, float, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_nk_pairs", matmul_of_rows<64, tg::bf16, float, tg::bf16, tg::precision::ieee, 2>);

/// silu(x w) * (x v).
template <int Cluster>
TEGULA_KERNEL void gated(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> w, tg::array<const tg::bf16, 2> v,
                         tg::array<tg::bf16, 2> o) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && o.dim(0) == x.dim(0), "x, w, v and o do not fit");
  tg::check(w.dim(1) == o.dim(1) && v.dim(1) == o.dim(1), "w, v and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(w.dim(1), 128)}, .cluster = Cluster},
      [](auto x, auto w, auto v, auto o) {
        auto gate = tg::zeros<float, 128, 128>(), up = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), 64); ++k) {
          const auto rows = x[tg::all, tg::ds<64>(64 * k)];
          gate += tg::dot(rows, w[tg::ds<64>(64 * k), tg::all]);
          up += tg::dot(rows, v[tg::ds<64>(64 * k), tg::all]);
        }
        o[tg::all] = tg::astype<tg::bf16>(gate * tg::logistic(gate) * up);
      },
      tg::in<128, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::whole, 128>(v, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("gated_bf16", gated<0>);
TEGULA_INSTANTIATE("gated_bf16_pairs", gated<2>);
TEGULA_KERNEL void gated_of_rows_bf16(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> w,
                                      tg::array<const tg::bf16, 2> v, tg::array<tg::bf16, 2> o) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && o.dim(0) == x.dim(0), "x, w, v and o do not fit");
  tg::check(w.dim(1) == o.dim(1) && v.dim(1) == o.dim(1), "w, v and o do not fit");
  tg::pallas_call(
      [](auto x, auto w, auto v, auto o) {
        const auto gate = tg::dot(x[tg::all], w[tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(gate * tg::logistic(gate) * tg::dot(x[tg::all], v[tg::all]));
      },
      tg::in(x), tg::in(w), tg::in(v), tg::out(o));
}
/// What is left to do where a library has made the products.
TEGULA_KERNEL void combine_bf16(tg::array<const tg::bf16, 2> gate, tg::array<const tg::bf16, 2> up,
                                tg::array<tg::bf16, 2> o) {
  tg::check(gate.dim(0) == o.dim(0) && up.dim(0) == o.dim(0), "gate, up and o do not fit");
  tg::check(gate.dim(1) == o.dim(1) && up.dim(1) == o.dim(1), "gate, up and o do not fit");
  tg::pallas_call(
      [](auto gate, auto up, auto o) {
        const auto x = tg::astype<float>(gate[tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(x * tg::logistic(x) * tg::astype<float>(up[tg::all]));
      },
      tg::in(gate), tg::in(up), tg::out(o));
}

} // namespace TEGULA_PORTABLE
