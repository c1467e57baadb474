// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The blocks of a step are released together.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto... blocks) { ((void)blocks, ...); }); };
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .num_compute_wgs = 2, .max_concurrent_steps = 4},
                                       compute, tg::in<8, 32>(x, map),
                                       // CHECK: pipeline-delays.cpp:[[@LINE+1]]:40: error: the blocks of a warp-specialised pipeline are released together: give delay_release once, in the pipeline's options [tegula-pipeline-delays]
                                       tg::in<8, 32>(x, map, {.delay_release = 1}));
  });
}
