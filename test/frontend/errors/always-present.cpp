// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Whether an array is there is asked of those that the caller may leave out.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  // CHECK: always-present.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this array is always present: only a parameter of an entry with the default argument {} may be omitted; to read the elements of an array, write x[tg::all] [tegula-always-present]
  if (x)
    tg::pallas_call([](auto x, auto o) { o[0] = x[0]; }, tg::in(x), tg::out(o));
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: always-present.cpp:[[@LINE+1]]:13: error: this array is always present
        if (x)
          o[0] = x[0];
      },
      tg::in(x), tg::out(o));
}
