// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A thread that copies has something to copy.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    // CHECK: pipeline-inputs.cpp:[[@LINE+1]]:5: error: a warp-specialized pipeline without tg::in has nothing to copy: it needs a tg::in [tegula-pipeline-inputs]
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg"},
        [](auto pipeline) { pipeline([](auto, auto o) { o[tg::all] = 1.0f; }); },
        tg::out<8, 32>(x, [](auto i) { return tg::index(i, 0); }));
  });
}
