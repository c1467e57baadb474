// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The axis is that of the threads.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto... blocks) { ((void)blocks, ...); }); };
    // CHECK: wg-axis.cpp:[[@LINE+1]]:5: error: wg_axis must be the axis of the kernel's .threads, and "c" is not [tegula-wg-axis]
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "c", .num_compute_wgs = 2}, compute,
                                       tg::in<8, 32>(x, map));
  });
}
