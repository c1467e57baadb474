// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac --emit=cpu %s -o - | grep -v '^#line' | FileCheck %s --check-prefix=CPU
// What a warp does by itself: a lane of it issues, its lanes synchronize, and the thread does so at both ends.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-DAG: copied_0: {{.*}} spills 0
// RESOURCES-DAG: told_0: {{.*}} spills 0

// The number of the warp is that of one of its lanes.
// CHECK-LABEL: .entry copied_0(
// CHECK:      shfl.sync.idx.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0, 31, 0xffffffff;
// CHECK:      elect.sync lane|[[ELECTED:%p[0-9]+]], 0xffffffff;
// CHECK:      fence.mbarrier_init.release.cluster;
// CHECK-NEXT: bar.sync {{.*}}0;
// CHECK-NEXT: bar.sync {{.*}}0;
// CHECK-NOT:  bar.sync
// CHECK:      bar.warp.sync {{.*}}-1;
// CHECK:      @[[ELECTED]] mbarrier.arrive.expect_tx.shared::cta.b64
// CHECK:      @[[ELECTED]] cp.async.bulk.tensor
// CHECK:      mbarrier.try_wait.parity
// CHECK-NOT:  bar.sync
// CHECK:      and.b32 [[LANE:%r[0-9]+]], %r{{[0-9]+}}, 31;
// CHECK:      setp.ne.s32 %p{{[0-9]+}}, [[LANE]], 0;
// CHECK:      st.global
// CHECK:      bar.sync {{.*}}0;
// CHECK-NEXT: ret;
// CPU-LABEL: void copied_0_cpu(
// CPU:      self.warps({{.*}}, [&](cpu::thread &warp_self, std::int64_t warp) {
// CPU:        warp_self.copy_to_shared({{.*}}, full, warp);
// CPU:        warp_self.barrier_wait({{.*}}, full, warp, {{.*}});
// CPU:        warp_self.read(
// CPU:        warp_self.write(
// CPU:      });
TEGULA_KERNEL void copied(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::smem<float, 4, 64> rows;
    tg::barrier<4> full;
    tg::warp_map([&](auto warp) {
      tg::copy_gmem_to_smem(x.at(warp, tg::ds<64>(0)), rows.at(warp), full.at(warp));
      tg::barrier_wait(full.at(warp));
      o[warp] = rows[warp, 0];
    });
  });
}

// Arrivals count one for a warp, also where nothing else arrives; tests and semaphores ask by a vote and a shuffle.
// The branch is no role of one warp though it does nothing but to copy and wait.
// CHECK-LABEL: .entry told_0(
// CHECK:      mov.b32 [[TWO:%r[0-9]+]], 2;
// CHECK-NEXT: @%p{{[0-9]+}} mbarrier.init.shared::cta.b64 [%r{{[0-9]+}}], [[TWO]];
// CHECK:      @[[LEADER:%p[0-9]+]] red.release.gpu.global.add.u32
// CHECK:      ld.relaxed.gpu.global.s32
// CHECK:      shfl.sync.idx.b32
// CHECK:      bar.warp.sync
// CHECK:      @[[LEADER]] mbarrier.arrive.release.cta.shared::cta.b64
// CHECK:      mbarrier.test_wait.parity.shared::cta.b64 seen
// CHECK-NEXT: vote.sync.any.pred %p{{[0-9]+}}, seen, 0xffffffff;
// CHECK:      fence.proxy.async.shared::cta;
// CHECK-NEXT: bar.warp.sync
// CHECK:      cp.async.bulk.wait_group 0;
// CHECK-NEXT: bar.warp.sync
TEGULA_KERNEL void told(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 4, 32> row;
    tg::barrier both{.num_arrivals = 2};
    auto ready = tg::get_global<tg::semaphore<>>();
    tg::warp_map([&](auto warp) {
      if (warp < 2) {
        tg::semaphore_signal(ready);
        while (tg::semaphore_read(ready) < 2) {
        }
        tg::barrier_arrive(both);
      }
      while (!tg::barrier_test(both)) {
      }
      row[warp, 0] = 1.0f;
      tg::commit_smem();
      tg::copy_smem_to_gmem(row.at(warp), o.at(warp, tg::ds<32>(0)));
      tg::wait_smem_to_gmem<0>();
    });
  });
}

// The first lane of each warp prints.
// CHECK-LABEL: .entry printed_0(
// CHECK:      bar.sync
// CHECK:      and.b32 [[LANE:%r[0-9]+]], %r{{[0-9]+}}, 31;
// CHECK-NEXT: setp.ne.s32 %p{{[0-9]+}}, [[LANE]], 0;
// CHECK:      vprintf,
// CHECK:      bar.sync
TEGULA_KERNEL void printed() {
  tg::kernel([=] { tg::warp_map([&](auto warp) { tg::debug_print("warp {}", warp); }); });
}
