// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Who frees a slot is counted along single axes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"cm", 2}, {"cn", 2}}, .threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto) {}); };
    // CHECK: pipeline-sharing.cpp:[[@LINE+2]]:49: error: a pipeline shares a block along one axis of the cluster: make the cluster's two axes one, or copy it by copy_gmem_to_smem with barriers of your own [tegula-pipeline-sharing]
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .max_concurrent_steps = 4},
                                       compute, tg::in<32, 32>(x, map, {.collective_axes = {"cm", "cn"}}));
  });
}
