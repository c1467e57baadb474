// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Warps of a thread: each has its own count of the phases that it waits for, and numbers of its own.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.launch "handed_on_0"
// CHECK: %[[FULL:.*]] = tile.alloc_barriers
// CHECK: %[[ROUNDS:.*]] = scf.for {{.*}} iter_args(%[[PHASES:.*]] = %{{.*}}) -> (i32)
// CHECK:   %[[LEFT:.*]] = tile.warp_map %[[PHASES]] : i32 -> i32 {
// CHECK:   ^bb0(%[[WARP:.*]]: i64, %[[OWN:.*]]: i32):
// CHECK:     %[[FIRST:.*]] = arith.cmpi eq, %[[WARP]], %{{.*}} : i64
// CHECK:     %[[NEXT:.*]] = scf.if %[[FIRST]] -> (i32) {
// CHECK:       tile.copy_to_shared
// CHECK:       scf.yield %[[OWN]] : i32
// CHECK:     } else {
// CHECK:       tile.barrier_wait
// CHECK:       %[[FLIPPED:.*]] = arith.xori %[[OWN]]
// CHECK:       tile.store {{.*}} : tensor<f32>
// CHECK:       scf.yield %[[FLIPPED]] : i32
// CHECK:     }
// CHECK:     tile.warp_done %[[NEXT]] : i32
// CHECK:   }
// CHECK:   scf.yield %[[LEFT]] : i32
TEGULA_KERNEL void handed_on(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 2, 64> rows;
    tg::barrier<2> full;
    for (tg::s64 i = 0; i < x.dim(0); ++i)
      tg::warp_map([&](auto warp) {
        if (warp == 0) {
          tg::copy_gmem_to_smem(x.at(i, tg::ds<64>(0)), rows.at(i % 2), full.at(i % 2));
          return;
        }
        tg::barrier_wait(full.at(i % 2));
        o[i, warp] = rows[i % 2, warp];
      });
  });
}
