// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The barriers of blocks are those of blocks, where the pipeline leaves them to the body.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .manual_ready_barriers = true},
        [](auto pipeline) {
          pipeline([](auto, auto a) {
            tg::barrier_wait(a.ready());
            // CHECK: pipeline-barrier.cpp:[[@LINE+1]]:34: error: consumed() is the barrier of a block that the body of tg::emit_pipeline_warp_specialized gets, with .manual_consumed_barriers = true: here the pipeline synchronizes by itself [tegula-pipeline-barrier]
            tg::barrier_arrive(a.consumed());
            // CHECK: pipeline-barrier.cpp:[[@LINE+1]]:49: error: ready() is the barrier of a block that the body of tg::emit_pipeline_warp_specialized gets, with .manual_ready_barriers = true: this ref is not such a block [tegula-pipeline-barrier]
            tg::barrier_wait(a.at(tg::ds<4>(0)).ready());
          });
        },
        tg::in<8, 32>(x, map));
    if (tg::axis_index("wg") == 0) {
      tg::emit_pipeline(
          // CHECK: pipeline-barrier.cpp:[[@LINE+1]]:64: error: ready() is the barrier of a block {{.*}}: here the pipeline synchronizes by itself
          {.grid = {n}}, [](auto, auto a) { tg::barrier_wait(a.ready()); }, tg::in<8, 32>(x, map));
    }
    tg::smem<float, 8, 32> other;
    // CHECK: pipeline-barrier.cpp:[[@LINE+1]]:28: error: ready() is the barrier of a block {{.*}}: this ref is not such a block
    tg::barrier_wait(other.ready());
  });
}
