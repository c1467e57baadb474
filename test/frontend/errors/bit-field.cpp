// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// No bit-fields.
#include <tegula/tegula.h>
namespace tg = tegula;

struct flags {
  unsigned low : 3;
};
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: bit-field.cpp:[[@LINE+1]]:15: error: 'low' is a bit-field, which kernels do not support: use a whole integer with >> and & [tegula-bit-field]
        flags f{3u};
        o[0] = x[f.low];
      },
      tg::in(x), tg::out(o));
}
