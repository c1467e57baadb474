// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A part of an accumulator is read only.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  tg::kernel([=] {
    tg::acc<float, 64, 64> acc;
    acc[tg::all] = 1.0f;
    // CHECK: accumulator-part.cpp:[[@LINE+1]]:33: error: an accumulator is assigned as a whole, acc[tg::all] = x: a part of it can only be read [tegula-accumulator-part]
    acc[tg::all, tg::ds<32>(0)] = 1.0f;
    // CHECK: accumulator-part.cpp:[[@LINE+1]]:15: error: an accumulator is assigned as a whole, acc[tg::all] = x: a part of it can only be read [tegula-accumulator-part]
    acc[0, 0] += 1.0f;
  });
}
