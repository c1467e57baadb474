// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The threads that compute store to one block.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 n) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    const auto wg = tg::axis_index("wg");
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto a, auto to) { to[tg::all] = a[tg::all]; }); };
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .num_compute_wgs = 2}, compute,
                                       tg::in<8, 32>(x, map),
                                       // CHECK: pipeline-thread-output.cpp:[[@LINE+1]]:40: error: the compute warpgroups share one block of this tg::out, but its index map depends on the warpgroup: make the block that of all of them, and let each warpgroup store its part, to.at(tg::ds<64>(64 * tg::axis_index("wg")))[tg::all] = ... [tegula-pipeline-thread-output]
                                       tg::out<8, 32>(o, [=](auto i) { return tg::index(i * 2 + wg, 0); }));
  });
}
