// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What the header has, but not this version.
#include <tegula/tegula.h>
namespace tg = tegula;

# 8 "tegula/language/someday.h" 1 3
namespace tegula {
float someday(float);
}
# 12 "intrinsic.cpp" 2
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: intrinsic.cpp:[[@LINE+1]]:48: error: this version of Tegula does not implement tg::someday [tegula-intrinsic]
  tg::pallas_call([=](auto x, auto o) { o[0] = tg::someday(x[0]); }, tg::in(x), tg::out(o));
}
