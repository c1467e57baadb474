// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A phase has an arrival.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  tg::kernel([=] {
    // CHECK: num-arrivals.cpp:[[@LINE+1]]:20: error: a phase of a barrier ends after 1 arrival or more, not 0 [tegula-num-arrivals]
    tg::barrier<2> none{.num_arrivals = 0};
  });
}
