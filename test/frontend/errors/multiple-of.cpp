// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A promise that a constant breaks.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o, tg::s64 n) {
  tg::kernel([=] {
    // CHECK: multiple-of.cpp:[[@LINE+1]]:7: error: 12 is not a multiple of 8, as tg::multiple_of promises: correct the number, or the promise [tegula-multiple-of]
    o[tg::multiple_of<8>(12)] = 1.0f;
    o[tg::multiple_of<4>(12)] = 1.0f;
    o[tg::multiple_of<8>(n)] = 1.0f;
  });
}
