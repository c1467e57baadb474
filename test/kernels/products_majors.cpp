// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of elements of all sizes, of factors that lie either way round.
#include <tegula/tegula.h>
namespace tg = tegula;

/// Of a as M x K or, if `TurnsA`, K x M, and of b as K x N or, if `TurnsB`, N x K.
template <bool TurnsA, bool TurnsB, class T, class Result>
TEGULA_KERNEL tg::array<Result, 2> product(tg::array<const T, 2> a, tg::array<const T, 2> b) {
  tg::check(a.dim(TurnsA ? 0 : 1) == b.dim(TurnsB ? 1 : 0), "the inner dimensions of a and b differ");
  auto o = tg::empty<Result>(a.dim(TurnsA ? 1 : 0), b.dim(TurnsB ? 0 : 1));
  tg::pallas_call(
      [](auto a, auto b, auto o) {
        const auto left = [&] {
          if constexpr (TurnsA)
            return tg::transpose_ref(a)[tg::all];
          else
            return a[tg::all];
        }();
        const auto right = [&] {
          if constexpr (TurnsB)
            return tg::transpose_ref(b)[tg::all];
          else
            return b[tg::all];
        }();
        if constexpr (__is_same(T, float))
          o[tg::all] = tg::dot(left, right, {.precision = tg::precision::tf32});
        else
          o[tg::all] = tg::dot(left, right);
      },
      tg::in(a), tg::in(b), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("s8_a_b", product<false, false, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("s8_at_bt", product<true, true, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("u8_at_b", product<true, false, tg::u8, tg::s32>);
TEGULA_INSTANTIATE("tf32_a_b", product<false, false, float, float>);
TEGULA_INSTANTIATE("tf32_at_bt", product<true, true, float, float>);
TEGULA_INSTANTIATE("e4m3_at_b", product<true, false, tg::e4m3, float>);
TEGULA_INSTANTIATE("e5m2_a_bt", product<false, true, tg::e5m2, float>);
TEGULA_INSTANTIATE("f64_a_b", product<false, false, double, double>);
TEGULA_INSTANTIATE("f64_a_bt", product<false, true, double, double>);
TEGULA_INSTANTIATE("f64_at_b", product<true, false, double, double>);

/// a b, by steps of a loop, and the sums of the rows of its blocks.
TEGULA_KERNEL void f64_with_sums(tg::array<const double, 2> a, tg::array<const double, 2> b, tg::array<double, 2> o,
                                 tg::array<double, 2> sums) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(sums.dim(0) == o.dim(0) && sums.dim(1) == tg::cdiv(o.dim(1), 64), "sums does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 64), tg::cdiv(o.dim(1), 64)}},
      [](auto a, auto b, auto o, auto sums) {
        auto sum = tg::zeros<double, 64, 64>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 32); ++k)
          sum += tg::dot(a[tg::all, tg::ds<32>(32 * k)], b[tg::ds<32>(32 * k), tg::all]);
        o[tg::all] = sum;
        sums[tg::all] = tg::sum<1>(sum);
      },
      tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 64>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<64, tg::squeezed>(sums, [](auto i, auto j) { return tg::index(i, j); }));
}
