// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Numbers are those that tiles are made of.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: scalar-type.cpp:[[@LINE+1]]:27: error: 'long double' is not a scalar type of kernels: these are bool, s8 to s64, u8 to u64, f16, bf16, f32 and f64 [tegula-scalar-type]
        const long double wide = x[0];
        o[0] = static_cast<float>(wide);
      },
      tg::in(x), tg::out(o));
}
