// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A pipeline copies whole blocks.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 n) {
  tg::kernel([=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    // CHECK: pipeline-partial.cpp:[[@LINE+2]]:46: error: a pipeline stores whole blocks, so it cannot take tg::partial_out: use tg::out [tegula-pipeline-partial]
    tg::emit_pipeline({.grid = {n}, .max_concurrent_steps = 2}, [](auto, auto x, auto o) { o[tg::all] = x[tg::all]; },
                      tg::in<8, 32>(x, map), tg::partial_out<8, 32>(o, map));
  });
}
