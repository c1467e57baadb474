// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What debug_check takes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        const auto t = x[tg::all];
        // CHECK-DAG: debug-checks.cpp:[[@LINE+1]]:9: error: debug_check takes one bool, not a tile: reduce it, tg::debug_check(tg::all_of(x > 0), "...")
        tg::debug_check(t > 0, "an element is not positive");
        // CHECK-DAG: debug-checks.cpp:[[@LINE+1]]:9: error: debug_check takes one bool, not a tile: reduce it, tg::debug_check(tg::all_of(x > 0), "...")
        tg::debug_check(t > 0, "an element is not above {}", 0);
        // CHECK-DAG: debug-checks.cpp:[[@LINE+1]]:13: error: debug_check takes scalars, not tiles: pass an element, tile[0]
        tg::debug_check(tg::all_of(t > 0), "{} is not positive", t);
        // CHECK-DAG: debug-checks.cpp:[[@LINE+1]]:9: error: debug_check takes one bool, not a ref: load and reduce it, tg::debug_check(tg::all_of(x[tg::all]), "...")
        tg::debug_check(x, "an element is zero");
      },
      tg::in(x));
}
