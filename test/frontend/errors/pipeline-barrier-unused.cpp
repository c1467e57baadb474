// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A body to which the barriers of blocks are left uses them.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .manual_ready_barriers = true},
        [](auto pipeline) { pipeline([](auto, auto a, auto) { tg::barrier_wait(a.ready()); }); }, tg::in<8, 32>(x, map),
        // CHECK: pipeline-barrier-unused.cpp:[[@LINE+1]]:9: error: with .manual_ready_barriers the body must wait for each block, tg::barrier_wait(x.ready()), in every step: it does not do so for this tg::in [tegula-pipeline-barrier-unused]
        tg::in<16, 32>(x, map));
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .manual_consumed_barriers = true},
        [](auto pipeline) { pipeline([](auto, auto a, auto) { tg::barrier_arrive(a.consumed()); }); },
        tg::in<8, 32>(x, map),
        // CHECK: pipeline-barrier-unused.cpp:[[@LINE+1]]:9: error: with .manual_consumed_barriers the body must release each block, tg::barrier_arrive(x.consumed()), in every step: it does not do so for this tg::in [tegula-pipeline-barrier-unused]
        tg::in<16, 32>(x, map));
  });
}
