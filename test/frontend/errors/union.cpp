// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// No unions but of shared memory, and these stay where they are.
#include <tegula/tegula.h>
namespace tg = tegula;

union bits {
  float number;
  int word;
};
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: union.cpp:[[@LINE+1]]:14: error: 'bits' is a union, of which kernels have those of shared memory alone, tg::smem and structs of it: use a struct, or one variable per type [tegula-union]
        bits b{1.0f};
        o[0] = b.number;
      },
      tg::in(x), tg::out(o));
}
