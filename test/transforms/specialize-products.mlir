// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of bf16 becomes, on Hopper, a producer that copies by TMA and two consumers that multiply.
// RUN: tegula-opt --tile-split='classes=9.0a variants=tensor' --canonicalize --cse %s | FileCheck %s --check-prefix=SPLIT
// RUN: tegula-opt --tile-split='classes=9.0a variants=tensor' --tile-specialize-products --tile-promote-variables \
// RUN:   --canonicalize --cse %s | FileCheck %s
// RUN: tegula-opt --tile-split='classes=8.x,10.x,12.x' %s | FileCheck %s --check-prefix=OTHERS --implicit-check-not=_tensor --implicit-check-not=consumers
// RUN: tegula-opt --tile-split=classes=9.0a,10.x --canonicalize %s | FileCheck %s --check-prefix=CLASSES

// OTHERS: tile.kernel @product_0

// CLASSES: tile.is_class ["10.x"]
// CLASSES: tile.kernel @product_0_tensor({{.*}} attributes {classes = ["9.0a"]

// The host asks whether TMA can copy the factors.
// SPLIT: plan (%[[A:.*]], %[[B:.*]], %[[O:.*]])
// SPLIT: %[[LEFT:.*]] = tile.can_map %[[A]] box [64, 64] swizzle 128
// SPLIT: %[[RIGHT:.*]] = tile.can_map %[[B]] box [64, 64] swizzle 128
// SPLIT: %[[BOTH:.*]] = arith.andi %[[LEFT]], %[[RIGHT]]
// SPLIT: scf.if %[[BOTH]] {
// SPLIT:   tile.launch_kernel @product_0_tensor
// SPLIT: } else {
// SPLIT:   tile.launch_kernel @product_0 blocks

// Thread groups of a CTA have rows below each other, of the same columns.
// SPLIT-LABEL: tile.kernel @product_0_tensor(
// SPLIT-SAME: attributes {consumers = 2 : i64, group = 128 : i64, threads = 256 : i64}
// SPLIT: %[[GROUP:.*]] = tile.thread_group
// SPLIT: %[[MEMBER:.*]] = arith.remui %[[GROUP]], %c2_i64
// SPLIT: %[[TEAM:.*]] = arith.divui %[[GROUP]], %c2_i64
// SPLIT: arith.muli %{{.*}}, %c256_i64
// SPLIT: arith.muli %{{.*}}, %c128_i64
// SPLIT: arith.muli %[[MEMBER]], %c64_i64
// SPLIT: scf.for %{{.*}} step %c64_i64 {{.*}} -> (tensor<64x256xf32>)
// SPLIT:   tile.dot {{.*}} extent(%{{.*}}) {{.*}} : tensor<64x64xbf16>, tensor<64x256xbf16>

// CHECK-LABEL: tile.kernel @product_0_tensor(
// CHECK-SAME: attributes {group = 128 : i64, threads = 384 : i64}
// CHECK: %[[TEAM:.*]] = tile.cluster_id
// CHECK: %[[MEMBER:.*]] = tile.thread_index
// CHECK: %[[A:.*]] = tile.alloc : <bf16, [4, 128, 64], smem>
// CHECK: %[[B:.*]] = tile.alloc : <bf16, [4, 64, 256], smem>
// CHECK: %[[FULL:.*]] = tile.alloc_barriers arrivals 2 : <4>
// CHECK: %[[EMPTY:.*]] = tile.alloc_barriers frees arrivals 2 : <4>
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[MEMBER]], %c2_i64
// CHECK: scf.if %[[IS]] {
// CHECK:   tile.set_max_registers 40
// CHECK:   scf.for
// CHECK:     tile.barrier_wait %[[EMPTY]]
// CHECK:     %[[ROWS:.*]] = tile.slice %{{.*}}[window %{{.*}}, window %{{.*}}] : <bf16, [?, ?]> -> <bf16, [128?, 64?]>
// CHECK:     tile.copy_to_shared %[[ROWS]],
// CHECK:     %[[COLUMNS:.*]] = tile.slice %{{.*}}[window %{{.*}}, window %{{.*}}] : <bf16, [?, ?]> -> <bf16, [64?, 256?]>
// CHECK:     tile.copy_to_shared %[[COLUMNS]],
// CHECK: } else {
// CHECK:   tile.set_max_registers increase 232
// CHECK:   scf.for {{.*}} -> (tensor<64x256xf32>, i64, i1)
// CHECK:     tile.barrier_wait %[[FULL]]
// CHECK:     %[[MINE:.*]] = tile.slice %{{.*}}[window %{{.*}}, whole] : <bf16, [128, 64], smem> -> <bf16, [64, 64], smem>
// CHECK:     tile.wgmma %{{.*}}, %[[MINE]], %{{.*}} -> tensor<64x256xf32>
// CHECK:     tile.wgmma_wait 1
// CHECK:     tile.barrier_arrive %[[EMPTY]]
// CHECK:   tile.wgmma_wait 0
// CHECK:   tile.cast
// CHECK:   tile.store {{.*}} <bf16, [64?, 256?]>
tile.entry @product(%x: !tile.array<bf16, 2, const>, %y: !tile.array<bf16, 2, const>, %z: !tile.array<bf16, 2>) attributes {qualified_name = "product"} {
  %k = tile.dim %x, 1 : !tile.array<bf16, 2, const>
  %l = tile.dim %y, 0 : !tile.array<bf16, 2, const>
  %same = arith.cmpi eq, %k, %l : i64
  tile.check %same, "the inner dimensions differ"
  tile.launch "product_0" grid() args(in %a = %x : !tile.array<bf16, 2, const>, in %b = %y : !tile.array<bf16, 2, const>, out %c = %z : !tile.array<bf16, 2>) {
    %s = tile.load %a : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %t = tile.load %b : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %d = tile.dot %s, %t : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    %r = tile.cast %d : tensor<?x?xf32> -> tensor<?x?xbf16>
    tile.store %r, %c : tensor<?x?xbf16>, !tile.ref<bf16, [?, ?]>
    tile.yield
  }
  tile.return
}
