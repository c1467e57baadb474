// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=tile-expanded --arch=sm_90a %s -o - | FileCheck %s --check-prefix=IR
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// An accumulator is read while a product for another one is in flight, and what is made of it stays in front of the wait
// for that product: ptxas would move the wait up to the read.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void overlapped(tg::array<float, 2> o, tg::array<float, 1> p, tg::array<tg::s64, 1> q, tg::s64 n) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a, b;
    const auto all = tg::ds<64>(0);
    tg::acc<float, 64, 64> first, second;
    tg::wgmma(first, a, b);
    tg::wgmma(second, a, tg::transpose_ref(b));
    const auto sums = tg::sum<1>(tg::wgmma_accumulator_load<1>(first));
    const auto places = tg::iota<tg::s64, 64>() * n; // Of 64 bits: ptxas may move it.
    tg::wgmma_wait<0>();
    q[all] = places;
    o[all, all] = second[tg::all];
    p[all] = sums;
  });
}
// IR:     %[[FIRST:.*]] = tile.wgmma
// IR:     %[[SECOND:.*]] = tile.wgmma
// IR:     %[[READ:.*]]:2 = tile.wgmma_wait 1(%[[FIRST]], %[[SECOND]])
// IR:     tile.reduce sum %[[READ]]#0
// IR:     tile.wgmma_wait 0(%[[READ]]#0, %[[READ]]#1)
// CHECK:      wgmma.wait_group.sync.aligned 1;
// CHECK:      shfl.sync
// A row's two sums in a thread.
// CHECK:      setp.eq.u32 never, %r[[#]], -1;
// CHECK-NEXT: setp.eq.and.u32 never, %r[[#]], -1, never;
// CHECK-NEXT: @never nanosleep.u32 0;
// CHECK:      wgmma.wait_group.sync.aligned 0;
// RESOURCES:     overlapped_0: {{.*}} spills 0
// RESOURCES-NOT: remark
