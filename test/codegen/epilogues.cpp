// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epilogues of sub-tiles of 256 columns are made panel by panel: registers last for the sums and what a panel takes.
// RUN: tegulac --arch=sm_90a --emit=resources %s -o - | FileCheck %s --check-prefix=WGMMA
// RUN: tegulac --arch=sm_80 --emit=resources %s -o - | FileCheck %s --check-prefix=MMA

// WGMMA-DAG: gelu_0_tensor: {{.*}} spills 0{{$}}
// WGMMA-DAG: softsign_0_tensor: {{.*}} spills 0{{$}}
// WGMMA-DAG: root_0_tensor: {{.*}} spills 0{{$}}
// WGMMA-DAG: exponential_0_tensor: {{.*}} spills 0{{$}}
// WGMMA-DAG: softplus_0_tensor: {{.*}} spills {{[0-9]?[0-9]}}{{$}}
// WGMMA-DAG: tanh_gelu_0_tensor: {{.*}} spills 0{{$}}
// WGMMA-DAG: linear_0_tensor: {{.*}} spills 0{{$}}
// WGMMA-DAG: with_residual_0_tensor_dense: {{.*}} spills {{[0-9]?[0-9]}}{{$}}
// WGMMA-DAG: scaled_0_tensor_dense: {{.*}} spills 0{{$}}
// WGMMA-DAG: dropped_0_tensor_dense: {{.*}} spills 0{{$}}
// WGMMA-DAG: gradient_0_tensor_dense: {{.*}} spills 0{{$}}

// MMA-DAG: gelu_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: softsign_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: root_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: exponential_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: softplus_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: tanh_gelu_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: linear_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: with_residual_0_tensor_dense: {{.*}} spills {{[0-9]?[0-9]}}{{$}}
// MMA-DAG: scaled_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: dropped_0_tensor_dense: {{.*}} spills 0{{$}}
// MMA-DAG: gradient_0_tensor_dense: {{.*}} spills {{[0-9]?[0-9]}}{{$}}

#include <tegula/tegula.h>
namespace tg = tegula;
template <class T> using mat = tg::array<const T, 2>;

template <int Function, class V> auto apply(const V &y) {
  if constexpr (Function == 0)
    return 0.5f * y * (1.0f + tg::erf(y * 0.70710678f));
  else if constexpr (Function == 1)
    return y / (1.0f + tg::abs(y));
  else if constexpr (Function == 2)
    return tg::sqrt(tg::abs(y));
  else if constexpr (Function == 3)
    return tg::exp(y);
  else if constexpr (Function == 4)
    return tg::log(1.0f + tg::exp(y));
  else if constexpr (Function == 5)
    return 0.5f * y * (1.0f + tg::tanh(0.79788456f * (y + 0.044715f * y * y * y)));
  else
    return y;
}

template <int Function> TEGULA_KERNEL void activated(mat<tg::bf16> a, mat<tg::bf16> b, tg::array<const float, 1> bias, tg::array<tg::bf16, 2> c) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1) && bias.dim(0) == c.dim(1), "shapes");
  tg::pallas_call(
      [](auto a, auto b, auto bias, auto c) {
        c[tg::all] = tg::astype<tg::bf16>(apply<Function>(tg::dot(a[tg::all], b[tg::all]) + bias[tg::newaxis, tg::all]));
      },
      tg::in(a), tg::in(b), tg::in(bias), tg::out(c));
}
TEGULA_INSTANTIATE("gelu", activated<0>);
TEGULA_INSTANTIATE("softsign", activated<1>);
TEGULA_INSTANTIATE("root", activated<2>);
TEGULA_INSTANTIATE("exponential", activated<3>);
TEGULA_INSTANTIATE("softplus", activated<4>);
TEGULA_INSTANTIATE("tanh_gelu", activated<5>);
TEGULA_INSTANTIATE("linear", activated<6>);

TEGULA_KERNEL void with_residual(mat<tg::bf16> a, mat<tg::bf16> b, tg::array<const tg::bf16, 1> bias, mat<tg::bf16> r, tg::array<tg::bf16, 2> c) {
  tg::check(a.dim(1) == b.dim(1) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(0) && bias.dim(0) == c.dim(1), "shapes");
  tg::check(r.dim(0) == c.dim(0) && r.dim(1) == c.dim(1), "shapes");
  tg::pallas_call(
      [](auto a, auto b, auto bias, auto r, auto c) {
        auto y = tg::dot(a[tg::all], tg::transpose(b[tg::all])) + tg::astype<float>(bias[tg::all])[tg::newaxis, tg::all];
        c[tg::all] = tg::astype<tg::bf16>(apply<0>(y) + tg::astype<float>(r[tg::all]));
      },
      tg::in(a), tg::in(b), tg::in(bias), tg::in(r), tg::out(c));
}

TEGULA_KERNEL void scaled(mat<tg::f16> a, mat<tg::f16> b, tg::array<tg::f16, 2> c, float alpha, float beta) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "shapes");
  tg::pallas_call(
      [=](auto a, auto b, auto c) {
        c[tg::all] = tg::astype<tg::f16>(beta * tg::astype<float>(c[tg::all]) + alpha * tg::dot(a[tg::all], b[tg::all]));
      },
      tg::in(a), tg::in(b), tg::inout(c));
}

TEGULA_KERNEL void dropped(mat<tg::f16> a, mat<tg::f16> b, mat<bool> keep, tg::array<tg::f16, 2> c, float p) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "shapes");
  tg::check(keep.dim(0) == c.dim(0) && keep.dim(1) == c.dim(1), "shapes");
  tg::pallas_call(
      [=](auto a, auto b, auto keep, auto c) {
        c[tg::all] = tg::astype<tg::f16>(tg::where(keep[tg::all], tg::dot(a[tg::all], b[tg::all]) / (1.0f - p), 0.0f));
      },
      tg::in(a), tg::in(b), tg::in(keep), tg::out(c));
}
TEGULA_KERNEL void gradient(mat<tg::bf16> x, mat<tg::bf16> dy, tg::array<float, 2> dw) {
  tg::check(x.dim(0) == dy.dim(0) && dw.dim(0) == x.dim(1) && dw.dim(1) == dy.dim(1), "shapes");
  tg::pallas_call(
      [](auto x, auto dy, auto dw) { dw[tg::all] += tg::dot(tg::transpose(x[tg::all]), dy[tg::all]); },
      tg::in(x), tg::in(dy), tg::inout(dw));
}
