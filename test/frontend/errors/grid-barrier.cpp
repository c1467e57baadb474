// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A barrier of the grid waits for later blocks, too.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}, .waiting_for = tg::earlier_blocks}, [=] {
    // CHECK: grid-barrier.cpp:[[@LINE+1]]:5: error: tg::grid_barrier waits for all CTAs, but the kernel says that CTAs wait only for earlier ones: remove .waiting_for = tg::earlier_blocks, so that all CTAs run at once [tegula-grid-barrier]
    tg::grid_barrier();
  });
  tg::kernel({.grid = {{"m", n}}}, [=] { tg::grid_barrier(); });
}
