// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Who says when it is done with a block has no use for a delay.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto a) { tg::barrier_arrive(a.consumed()); }); };
    // CHECK: pipeline-manual.cpp:[[@LINE+1]]:5: error: with .manual_consumed_barriers the body releases each block itself: remove .delay_release [tegula-pipeline-manual]
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .delay_release = 1, .manual_consumed_barriers = true}, compute,
        tg::in<8, 32>(x, map));
    // CHECK: pipeline-manual.cpp:[[@LINE+1]]:5: error: with .manual_consumed_barriers the body releases
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .manual_consumed_barriers = true}, compute,
                                       tg::in<8, 32>(x, map, {.delay_release = 1}));
  });
}
