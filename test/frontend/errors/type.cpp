// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Other types have no meaning in a kernel.
#include <tegula/tegula.h>
namespace tg = tegula;

struct point {
  int x, y;
};
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: type.cpp:[[@LINE+1]]:20: error: a kernel cannot have variables of type 'int point::*': use scalars, tiles, refs, and structs and C arrays of them [tegula-type]
        const auto member = &point::y;
        (void)member;
      },
      tg::in(x), tg::out(o));
}
