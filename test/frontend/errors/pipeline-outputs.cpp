// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The thread that copies does not see what others store.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto... blocks) { ((void)blocks, ...); }); };
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .num_compute_wgs = 2}, compute,
                                       // CHECK: pipeline-outputs.cpp:[[@LINE+1]]:40: error: a warp-specialized pipeline takes tg::in and tg::out, but not this tg::inout: the producer would copy a block that a consumer has not stored yet; copy the block after the pipeline, tg::copy_smem_to_gmem [tegula-pipeline-outputs]
                                       tg::inout<8, 32>(x, map));
  });
}
