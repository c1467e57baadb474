// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A run-time scalar has the tile's type; a constant adapts.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n, double scale) {
  tg::pallas_call(
      [=](auto x, auto o) {
        o[tg::all] = 2 * x[tg::all];
        // CHECK: scalar-of-another-type.cpp:[[@LINE+1]]:22: error: a run-time scalar of type f64 is combined with a tile of f32: convert it with tg::astype<tg::f32>(x) [tegula-scalar-of-another-type]
        o[tg::all] = scale * x[tg::all];
        // CHECK: scalar-of-another-type.cpp:[[@LINE+1]]:46: error: a run-time scalar of type s32 is combined with a tile of f32: convert it with tg::astype<tg::f32>(x) [tegula-scalar-of-another-type]
        o[tg::all] = tg::maximum(x[tg::all], n);
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void assigned(tg::array<float, 1> o, int n) {
  // CHECK: scalar-of-another-type.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a run-time scalar of type s32 is combined with a tile of f32: convert it with tg::astype<tg::f32>(x) [tegula-scalar-of-another-type]
  tg::pallas_call([=](auto o) { o[tg::all] = n; }, tg::out(o));
}
