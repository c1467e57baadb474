// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --arch=sm_90a %s -o %t && FileCheck %s --input-file=%t.cpp --check-prefix=STUB
// How blocks synchronize: one lane of a thread releases, and acquires, for all of its lanes.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: .entry waits_0(
// CHECK:       bar.sync
// CHECK:       red.release.gpu.global.add.u32
// CHECK:       ld.relaxed.gpu.global.s32 seen
// CHECK-NEXT:  setp.ge.s32 done, seen
// CHECK-NOT:   atom
// CHECK:       fence.acq_rel.gpu;
// CHECK:       bar.warp.sync
// CHECK:       bar.sync
// CHECK:       ld.relaxed.sys.global.s32 seen
// CHECK:       atom.relaxed.sys.global.cas.b32
// CHECK:       fence.acq_rel.sys;
// CHECK:       bar.sync
// CHECK:       fence.acq_rel.gpu;
// CHECK:       red.relaxed.gpu.global.add.u32
// CHECK:       red.relaxed.gpu.global.add.u32
// CHECK-NOT:   fence.proxy
// CHECK:       ret;
TEGULA_KERNEL void waits(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}}, [=] {
    auto two = tg::get_global<tg::semaphore<2>>();
    tg::semaphore_signal(two.at(0));
    tg::semaphore_wait(two.at(0), n, {.decrement = false});
    tg::semaphore_wait(two.at(1), 2, {.scope = tg::memory_scope::sys});
    tg::semaphore_signal_parallel({{two.at(0), 3}, {two.at(1), 2}});
  });
}
// STUB: auto semaphores = call.zeros<std::int32_t, 1>("semaphores", {2});
// STUB: call.launch(tegula::of_{{[a-z_]+}}::waits_0,
// STUB-NEXT: {{.*}}, 128, 0, false, /*is_resident=*/true}, semaphores

// Copies see what other blocks wrote by their threads.
// CHECK-LABEL: .entry steps_0(
// CHECK:       fence.proxy.async.global;
// CHECK:       bar.sync 15, 256;
// CHECK:       sub.u32 own, 0x80000001, own;
// CHECK:       atom.relaxed.gpu.global.add.u32 old
// CHECK:       ld.relaxed.gpu.global.u32 seen
// CHECK:       bar.sync 15, 256;
// CHECK:       fence.proxy.async.global;
// CHECK:       cp.async.bulk.tensor
TEGULA_KERNEL void steps(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}, .threads = {"wg", 2}}, [=] {
    tg::smem<float, 32> row;
    tg::barrier full;
    if (tg::axis_index("wg") == 0)
      x[tg::axis_index("m"), 0] = 1.0f;
    tg::grid_barrier();
    if (tg::axis_index("wg") == 1) {
      tg::copy_gmem_to_smem(x.at((tg::axis_index("m") + 1) % n, tg::ds<32>(0)), row, full);
      tg::barrier_wait(full);
    }
  });
}
