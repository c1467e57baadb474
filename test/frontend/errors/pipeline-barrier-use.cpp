// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The body waits for one barrier of a block, and arrives at the other.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<float, 8, 32> other;
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .manual_ready_barriers = true, .manual_consumed_barriers = true},
        [&](auto pipeline) {
          pipeline([&](auto, auto a) {
            // CHECK: pipeline-barrier-use.cpp:[[@LINE+1]]:34: error: ready() can only be waited for, tg::barrier_wait(x.ready()): its copy arrives [tegula-pipeline-barrier-use]
            tg::barrier_arrive(a.ready());
            // CHECK: pipeline-barrier-use.cpp:[[@LINE+1]]:32: error: consumed() can only be arrived at, tg::barrier_arrive(x.consumed()): the producer waits [tegula-pipeline-barrier-use]
            tg::barrier_wait(a.consumed());
            // CHECK: pipeline-barrier-use.cpp:[[@LINE+1]]:79: error: consumed() can only be arrived
            tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<32>(0)), other, a.consumed());
          });
        },
        tg::in<8, 32>(x, [](auto i) { return tg::index(i, 0); }));
  });
}
