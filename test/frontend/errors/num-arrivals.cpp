// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A phase has an arrival, and not more than the hardware counts, from all blocks.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  tg::kernel([=] {
    // CHECK: num-arrivals.cpp:[[@LINE+1]]:20: error: a phase of a barrier completes after 1 to 1048575 arrivals, those of all CTAs together, not 0 [tegula-num-arrivals]
    tg::barrier<2> none{.num_arrivals = 0};
    tg::barrier<2> most{.num_arrivals = 1048575};
    // CHECK: num-arrivals.cpp:[[@LINE+1]]:20: error: a phase of a barrier completes after 1 to 1048575 arrivals, those of all CTAs together, not 1048576 [tegula-num-arrivals]
    tg::barrier<2> more{.num_arrivals = 1048576};
  });
  tg::kernel({.cluster = {{"a", 2}, {"b", 4}}}, [=] {
    // CHECK: num-arrivals.cpp:[[@LINE+1]]:27: error: a phase of a barrier completes after 1 to 1048575 arrivals, those of all CTAs together, not 1500000 [tegula-num-arrivals]
    tg::cluster_barrier<> all{.collective_axes = {"a", "b"}, .num_arrivals = 300000};
  });
}
