// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The pipeline runs once.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto body = [](auto, auto) {};
    // CHECK: pipeline-runs.cpp:[[@LINE+1]]:5: error: the compute function must call pipeline(body) exactly once, outside loops and conditions: the producer runs once [tegula-pipeline-runs]
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg"}, [](auto) {}, tg::in<8, 32>(x, map));
    // CHECK: pipeline-runs.cpp:[[@LINE+1]]:5: error: the compute function must call pipeline(body) exactly once, outside loops and conditions: the producer runs once [tegula-pipeline-runs]
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg"}, [=](auto pipeline) { pipeline(body), pipeline(body); },
        tg::in<8, 32>(x, map));
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg"},
        [=](auto pipeline) {
          for (int i = 0; i < n; ++i)
            // CHECK: pipeline-runs.cpp:[[@LINE+1]]:13: error: the compute function must call pipeline(body) exactly once, outside loops and conditions: the producer runs once [tegula-pipeline-runs]
            pipeline(body);
        },
        tg::in<8, 32>(x, map));
  });
}
