// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of rows, in one namespace for each set of variants that they are compiled with.
#pragma once

#include <tegula/tegula.h>

namespace TEGULA_VARIANTS {
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

template <class T> TEGULA_KERNEL tg::array<T, 2> softmax(tg::array<const T, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto row = tg::astype<float>(x[tg::all]);
        const auto e = tg::exp(row - tg::max(row));
        o[tg::all] = tg::astype<T>(e / tg::sum(e));
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}

/// x * rsqrt(mean(x * x) + epsilon) * weight + residual
template <class T>
TEGULA_KERNEL tg::array<T, 2> rmsnorm(tg::array<const T, 2> x, tg::array<const T, 1> weight,
                                      tg::array<const T, 2> residual, float epsilon) {
  tg::check(x.dim(1) == weight.dim(0), "weight has one entry per column of x");
  tg::check(x.dim(0) == residual.dim(0) && x.dim(1) == residual.dim(1), "residual has the shape of x");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto weight, auto residual, auto o) {
        const auto row = tg::astype<float>(x[tg::all]);
        const float r = tg::rsqrt(tg::sum(tg::square(row)) / static_cast<float>(x.dim(0)) + epsilon);
        o[tg::all] = tg::astype<T>(row * r * tg::astype<float>(weight[tg::all]) + tg::astype<float>(residual[tg::all]));
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in(weight), tg::in<tg::squeezed, tg::whole>(residual, row_of),
      tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}

TEGULA_INSTANTIATE("softmax_f32", softmax<float>);
TEGULA_INSTANTIATE("softmax_bf16", softmax<tg::bf16>);
TEGULA_INSTANTIATE("rmsnorm_f32", rmsnorm<float>);
TEGULA_INSTANTIATE("rmsnorm_bf16", rmsnorm<tg::bf16>);

} // namespace TEGULA_VARIANTS
