// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Shapes are aligned at the last dimension.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: forgot-newaxis.cpp:[[@LINE+2]]:24: error: the shapes do not broadcast: x[tg::all, tg::newaxis] inserts a dimension, and tg::sum<1>(x, tg::keepdims) keeps the reduced one
        // CHECK: forgot-newaxis.cpp:[[@LINE+1]]:24: note: their types: tg::tile<float, 64, 128>, tg::tile<float, 64>
        o[tg::all] = t - t[tg::all, 0];
      },
      tg::in<64, 128>(x, [] { return tg::index(0, 0); }), tg::out<64, 128>(o, [] { return tg::index(0, 0); }));
}
