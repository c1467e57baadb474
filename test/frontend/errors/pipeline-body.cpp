// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// One index per axis, one block per spec.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel([=] {
    tg::emit_pipeline(
        // CHECK: pipeline-body.cpp:[[@LINE+1]]:27: error: the body of the pipeline takes 2 parameters, but needs 3: one index per axis of its grid, then one block per spec [tegula-pipeline-body]
        {.grid = {n, n}}, [&](auto, auto x) { (void)x; },
        tg::in<8, 32>(x, [](auto i, auto j) { return tg::index(i, j); }));
  });
}
