// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Shapes are aligned at the last dimension; the error quotes them.
void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  const auto map = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {8}},
      [](auto x, auto o) {
        // CHECK: error: {{.*}}broadcast_together<tegula::tile<float, 64, 128>, tegula::tile<float, 64>>{{.*}}the shapes do not broadcast: x[tg::all, tg::newaxis] inserts a dimension, and tg::sum<1>(x, tg::keepdims) keeps the reduced one
        // CHECK: forgot_newaxis.cpp:[[@LINE+1]]:
        o[tg::all] = x[tg::all] - x[tg::all, 0];
        // CHECK: error: {{.*}}the value does not broadcast to the shape that it is assigned to
        // CHECK: forgot_newaxis.cpp:[[@LINE+1]]:
        o[0] = x[tg::all];
        // CHECK: error: {{.*}}the value does not broadcast to the shape that it is assigned to
        // CHECK: forgot_newaxis.cpp:[[@LINE+1]]:
        tg::store(o.at(tg::all, 0), x[0]);
      },
      tg::in<64, 128>(x, map), tg::out<64, 128>(o, map));
}
