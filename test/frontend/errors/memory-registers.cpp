// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Registers are given out in eights.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto... blocks) { ((void)blocks, ...); }); };
    // CHECK: memory-registers.cpp:[[@LINE+1]]:5: error: memory_registers must be a multiple of 8 from 24 to 256 that leaves 24 or more to each compute thread: not 42 [tegula-memory-registers]
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .num_compute_wgs = 2, .memory_registers = 42},
                                       compute,
                                       tg::in<8, 32>(x, map));
  });
}
