// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps leave out multiplications by 1, where a loop scales rows by exponentials.
// RUN: tegula-opt --tile-skip-scales %s | FileCheck %s
// RUN: tegula-opt --tile-skip-scales --tile-lower-to-llvm=arch=sm_90a %s | FileCheck %s --check-prefix=LLVM

#rows = #tile.layout<linear<register [(8)], lane [(0), (0), (1), (2), (4)], warp [(16), (32)] -> (d0 64)>>

// The branch stands as early as it can, in front of what is computed between.
// CHECK-LABEL: tile.kernel @scaled
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.+]] = %{{.+}}) ->
// CHECK: %[[SCALE:.+]] = tile.exp2
// CHECK: %[[IS_ONE:.+]] = tile.eq %[[SCALE]], %{{.+}}
// CHECK: %[[ALL:.+]] = tile.warp_all %[[IS_ONE]] : tensor<64xi1
// CHECK: %[[NEXT:.+]] = scf.if %[[ALL]] -> (tensor<64x128xf32
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK-NEXT: } else {
// CHECK: %[[PRODUCT:.+]] = tile.mul %[[SUM]], %{{.+}}
// CHECK-NEXT: scf.yield %[[PRODUCT]]
// CHECK: tile.sqrt
// CHECK: tile.add %[[NEXT]]
// LLVM-LABEL: @scaled
// LLVM: %[[LANES:.+]] = nvvm.vote.ballot.sync
// LLVM: llvm.icmp "eq" %[[LANES]]
// LLVM: llvm.cond_br
tile.kernel @scaled(%n: i64, %x: !tile.ref<f32, [64, 128]>, %c: !tile.ref<f32, [64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %start = tile.full %zero : f32 -> tensor<64x128xf32, #tile.layout<wgmma>>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %start) -> (tensor<64x128xf32, #tile.layout<wgmma>>) : i64 {
    %d = tile.load %c : !tile.ref<f32, [64]> -> tensor<64xf32, #rows>
    %scale = tile.exp2 %d : tensor<64xf32, #rows>
    %t = tile.load %x : !tile.ref<f32, [64, 128]> -> tensor<64x128xf32, #tile.layout<wgmma>>
    %root = tile.sqrt %t : tensor<64x128xf32, #tile.layout<wgmma>>
    %column = tile.broadcast %scale [0] : tensor<64xf32, #rows> -> tensor<64x128xf32, #tile.layout<wgmma>>
    %scaled = tile.mul %sum, %column : tensor<64x128xf32, #tile.layout<wgmma>>
    %next = tile.add %scaled, %root : tensor<64x128xf32, #tile.layout<wgmma>>
    scf.yield %next : tensor<64x128xf32, #tile.layout<wgmma>>
  }
  tile.store %end, %x : tensor<64x128xf32, #tile.layout<wgmma>>, !tile.ref<f32, [64, 128]>
  tile.return
}

// Not of few elements, of other numbers than exponentials, nor outside of a loop.
// CHECK-LABEL: tile.kernel @others
// CHECK-NOT: tile.warp_all
tile.kernel @others(%n: i64, %x: !tile.ref<f32, [64, 128]>, %y: !tile.ref<f32, [64, 64]>, %c: !tile.ref<f32, [64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %d = tile.load %c : !tile.ref<f32, [64]> -> tensor<64xf32, #rows>
  %scale = tile.exp2 %d : tensor<64xf32, #rows>
  %wide = tile.broadcast %scale [0] : tensor<64xf32, #rows> -> tensor<64x128xf32, #tile.layout<wgmma>>
  %narrow = tile.broadcast %scale [0] : tensor<64xf32, #rows> -> tensor<64x64xf32, #tile.layout<wgmma>>
  %loaded = tile.broadcast %d [0] : tensor<64xf32, #rows> -> tensor<64x128xf32, #tile.layout<wgmma>>
  %t = tile.load %x : !tile.ref<f32, [64, 128]> -> tensor<64x128xf32, #tile.layout<wgmma>>
  %outside = tile.mul %t, %wide : tensor<64x128xf32, #tile.layout<wgmma>>
  tile.store %outside, %x : tensor<64x128xf32, #tile.layout<wgmma>>, !tile.ref<f32, [64, 128]>
  scf.for %k = %c0 to %n step %c1 : i64 {
    %u = tile.load %y : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32, #tile.layout<wgmma>>
    %few = tile.mul %u, %narrow : tensor<64x64xf32, #tile.layout<wgmma>>
    tile.store %few, %y : tensor<64x64xf32, #tile.layout<wgmma>>, !tile.ref<f32, [64, 64]>
    %v = tile.load %x : !tile.ref<f32, [64, 128]> -> tensor<64x128xf32, #tile.layout<wgmma>>
    %by = tile.mul %v, %loaded : tensor<64x128xf32, #tile.layout<wgmma>>
    tile.store %by, %x : tensor<64x128xf32, #tile.layout<wgmma>>, !tile.ref<f32, [64, 128]>
  }
  tile.return
}
