// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// iota counts.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<bool, 1> o) {
  // CHECK: iota-of-bool.cpp:[[@LINE+1]]:54: error: tg::iota cannot have the dtype bool: compare numbers, iota == 0 [tegula-iota-of-bool]
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = tg::iota<bool, 8>(); }, tg::in(x),
                  tg::out<8>(o, [] { return tg::index(0); }));
}
