// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Functions run inline.
#include <tegula/tegula.h>
namespace tg = tegula;

float elsewhere(float);
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: no-body.cpp:[[@LINE+1]]:48: error: 'elsewhere' has no definition in this file, and functions are inlined into kernels: define it here or in a header [tegula-no-body]
  tg::pallas_call([=](auto x, auto o) { o[0] = elsewhere(x[0]); }, tg::in(x), tg::out(o));
}
