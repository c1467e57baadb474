// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A block has 16 barriers in hardware: its threads take one each, and all of them together one.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::named_barrier<2, 6> most;
    tg::named_barrier<> last;
    // CHECK: named-barriers.cpp:[[@LINE+1]]:25: error: a CTA of 2 warpgroups has 13 named barriers, but this kernel declares 14: let warpgroups take turns at fewer of them, or use tg::barrier [tegula-named-barriers]
    tg::named_barrier<> more;
  });
  tg::kernel({.threads = {"wg", 8}}, [=] {
    // CHECK: named-barriers.cpp:[[@LINE+1]]:26: error: a CTA of 8 warpgroups has 7 named barriers, but this kernel declares 8: let warpgroups take turns at fewer of them, or use tg::barrier [tegula-named-barriers]
    tg::named_barrier<8> many;
    tg::named_barrier_sync(many.at(7));
  });
}
