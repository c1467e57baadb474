// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Checks on shapes when a kernel is compiled.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16)}},
      [](auto x, auto all) {
        const auto t = x[tg::all];
        static_assert(t.rank == 2 && t.shape.size[1] == 64, "rows have 64 elements");
        static_assert(all.shape.size[0] == tg::any);
        // CHECK: static-assert.cpp:[[@LINE+1]]:23: error: static assertion failed due to requirement 'x.shape.size[0] == 8': blocks have 8 rows
        static_assert(x.shape.size[0] == 8, "blocks have 8 rows");
      },
      tg::in<16, 64>(x, [](auto i) { return tg::index(i, 0); }), tg::in(x));
}
