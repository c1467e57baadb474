// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A thread that copies and computes copies for itself.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto... blocks) { ((void)blocks, ...); }); };
    // CHECK: pipeline-multicast.cpp:[[@LINE+1]]:57: error: emit_pipeline does not share copies in a cluster: use tg::emit_pipeline_warp_specialized for .collective_axes [tegula-pipeline-multicast]
    tg::emit_pipeline({.grid = {n}}, [](auto, auto) {}, tg::in<8, 32>(x, map, {.collective_axes = {"c"}}));
    (void)compute;
  });
}
