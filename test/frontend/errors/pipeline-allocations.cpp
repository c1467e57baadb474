// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A ring serves pipelines with the same blocks.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto) {}); };
    tg::pipeline_allocations ring;
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .allocations = &ring}, compute,
                                       tg::in<8, 32>(x, map));
    // CHECK: pipeline-allocations.cpp:[[@LINE+1]]:5: error: pipelines that share a tg::pipeline_allocations must have the same blocks and options: declare another for this one [tegula-pipeline-allocations]
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .allocations = &ring}, compute,
                                       tg::in<16, 32>(x, map));
  });
}

// The barriers of a ring count who in the cluster frees a variable.
TEGULA_KERNEL void g(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto) {}); };
    tg::pipeline_allocations ring;
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .allocations = &ring}, compute,
                                       tg::in<16, 32>(x, map));
    // CHECK: pipeline-allocations.cpp:[[@LINE+1]]:5: error: pipelines that share a tg::pipeline_allocations must have the same blocks and options: declare another for this one [tegula-pipeline-allocations]
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .allocations = &ring}, compute,
                                       tg::in<16, 32>(x, map, {.collective_axes = {"c"}}));
  });
}
