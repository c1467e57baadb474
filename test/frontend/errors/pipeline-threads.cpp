// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// One thread copies, all others compute.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto... blocks) { ((void)blocks, ...); }); };
    // CHECK: pipeline-threads.cpp:[[@LINE+1]]:5: error: 1 compute warpgroups and one producer are 2, but the kernel has 3 warpgroups: num_compute_wgs must be 1 or more, and one less than .threads [tegula-pipeline-threads]
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .num_compute_wgs = 1}, compute,
                                       tg::in<8, 32>(x, map));
  });
}
