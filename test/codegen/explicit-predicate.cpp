// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=cpu %s -o - | FileCheck %s --check-prefix=CPU
// A copy that its predicate leaves out arrives without bytes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void chosen(tg::array<const float, 2> x, tg::array<float, 2> o, bool wanted) {
  tg::kernel([=] {
    tg::smem<float, 8, 32> block;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<32>(0)), block, here, {.predicate = wanted});
    tg::barrier_wait(here);
    o[tg::ds<8>(0), tg::ds<32>(0)] = block[tg::all];
  });
}
// CHECK-LABEL: .entry chosen
// CHECK:       elect.sync lane|%[[LANE:p[0-9]+]]
// CHECK:       and.pred{{ +}}%[[LEADER:p[0-9]+]], %p{{[0-9]+}}, %[[LANE]];
// CHECK:       and.pred{{ +}}%[[COPIES:p[0-9]+]], %[[LEADER]], %[[WANTED:p[0-9]+]];
// CHECK:       selp.b32{{[ 	]+}}%[[BYTES:r[0-9]+]], 1024, 0, %[[WANTED]];
// CHECK:       @%[[LEADER]] mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r{{[0-9]+}}], %[[BYTES]];
// CHECK:       @%[[COPIES]] cp.async.bulk.tensor.2d

// CPU-LABEL: void chosen_0_cpu
// CPU:         if (wanted) {
// CPU-NEXT:    #line
// CPU-NEXT:    self.copy_to_shared({{.*}}, x_block, block, here, 0);
// CPU-NEXT:    } else {
// CPU-NEXT:    #line
// CPU-NEXT:    self.copy_nothing({{.*}}, here, 0);
// CPU-NEXT:    }
