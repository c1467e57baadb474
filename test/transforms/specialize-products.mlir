// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of bf16 becomes, on Hopper, a producer that copies by TMA and two consumers that multiply.
// RUN: tegula-opt --split-input-file --tile-split='classes=9.0a variants=tensor,small' --canonicalize --cse %s | FileCheck %s --check-prefix=SPLIT
// RUN: tegula-opt --split-input-file --tile-split='classes=9.0a variants=tensor,small' --tile-specialize-products --tile-promote-variables \
// RUN:   --canonicalize --cse %s | FileCheck %s
// RUN: tegula-opt --split-input-file --tile-split=classes=7.5 %s | FileCheck %s --check-prefix=OTHERS --implicit-check-not=_tensor --implicit-check-not=consumers
// RUN: tegula-opt --split-input-file --tile-split=classes=9.0a,10.x --canonicalize %s | FileCheck %s --check-prefix=CLASSES

// OTHERS: tile.kernel @product_0

// CLASSES: tile.is_class ["10.x"]
// CLASSES: tile.kernel @product_0_tensor({{.*}} attributes {classes = ["9.0a"]

// The host asks whether TMA can copy the factors, and the result.
// SPLIT: plan (%[[A:.*]], %[[B:.*]], %[[O:.*]])
// SPLIT: %[[LEFT:.*]] = tile.can_map %[[A]] box [64, 64] swizzle 128
// SPLIT: %[[RIGHT:.*]] = tile.can_map %[[B]] box [64, 64] swizzle 128
// SPLIT: %[[BOTH:.*]] = arith.andi %[[LEFT]], %[[RIGHT]]
// SPLIT: %[[FEW:.*]] = arith.cmpi slt, %{{.*}}, %c268435456_i64
// SPLIT: %[[CAN:.*]] = arith.andi %[[BOTH]], %[[FEW]]
// SPLIT: scf.if %[[CAN]] {
// SPLIT:   %[[RESULT:.*]] = tile.can_map %[[O]] box [64, 64] swizzle 128
// SPLIT:   %[[PROCESSORS:.*]] = tile.multiprocessors
// SPLIT:   %[[ROUNDS:.*]] = arith.divsi %{{.*}}, %[[PROCESSORS]]
// SPLIT:   %[[WIDE:.*]] = arith.muli %[[ROUNDS]], %c512_i64
// SPLIT:   %[[MORE:.*]] = arith.divsi %{{.*}}, %[[PROCESSORS]]
// SPLIT:   %[[NARROW:.*]] = arith.muli %[[MORE]], %c320_i64
// SPLIT:   %[[SUITS:.*]] = arith.cmpi sle, %[[WIDE]], %[[NARROW]]
// SPLIT:   %[[IS:.*]] = arith.andi %[[RESULT]], %[[SUITS]]
// SPLIT:   scf.if %[[IS]] {
// SPLIT:     %[[BLOCKS:.*]] = arith.minsi %{{.*}}, %[[PROCESSORS]]
// SPLIT:     tile.launch_kernel @product_0_tensor blocks(%[[BLOCKS]])
// SPLIT:   } else {
// SPLIT:     tile.launch_kernel @product_0_tensor_small blocks
// SPLIT: } else {
// SPLIT:   tile.launch_kernel @product_0_tensor_any blocks
// SPLIT-NOT: tile.launch_kernel

// A CTA does one sub-tile after the other; its thread groups have rows below each other, of the same columns.
// SPLIT-LABEL: tile.kernel @product_0_tensor(
// SPLIT-SAME: {tile.can_be_copied}
// SPLIT-SAME: %[[GROUPS:thread_groups]]: i64, %[[CTAS:blocks]]: i64) attributes {consumers = 2 : i64, group = 128 : i64, threads = 256 : i64}
// SPLIT: %[[GROUP:.*]] = tile.thread_group
// SPLIT: %[[MEMBER:.*]] = arith.remui %[[GROUP]], %c2_i64
// SPLIT: %[[TEAM:.*]] = arith.divui %[[GROUP]], %c2_i64
// SPLIT: scf.for %[[WORK:.*]] = %[[TEAM]] to %[[GROUPS]] step %[[CTAS]]
// SPLIT:   %[[NUMBER:.*]] = arith.trunci %[[WORK]] : i64 to i32
// SPLIT:   arith.divui %[[NUMBER]], %{{.*}} : i32
// SPLIT-NOT: arith.divui {{.*}} : i64
// SPLIT:   arith.muli %[[MEMBER]], %c64_i64
// SPLIT:   scf.for %{{.*}} step %c64_i64 {{.*}} -> (tensor<64x256xf32>)
// SPLIT:     tile.dot {{.*}} extent(%{{.*}}) {{.*}} : tensor<64x64xbf16>, tensor<64x256xbf16>
// SPLIT:   tile.store {{.*}} <bf16, [64?, 256?]>
// SPLIT-LABEL: tile.kernel @product_0_tensor_small(
// SPLIT-SAME: {tile.can_be_copied}
// SPLIT-SAME: %can_copy: i1 {tile.are_copied})
// SPLIT: tile.dot {{.*}} : tensor<64x64xbf16>, tensor<64x64xbf16>

// CHECK-LABEL: tile.kernel @product_0_tensor(
// CHECK-SAME: attributes {group = 128 : i64, threads = 384 : i64}
// CHECK: %[[CTA:.*]] = tile.cluster_id
// CHECK: %[[MEMBER:.*]] = tile.thread_index
// CHECK: %[[OUT:.*]] = tile.alloc : <bf16, [2, 2, 64, 64], smem>
// CHECK: %[[A:.*]] = tile.alloc : <bf16, [4, 128, 64], smem>
// CHECK: %[[B:.*]] = tile.alloc : <bf16, [4, 64, 256], smem>
// CHECK: %[[FULL:.*]] = tile.alloc_barriers arrivals 2 : <4>
// CHECK: %[[EMPTY:.*]] = tile.alloc_barriers frees arrivals 2 : <4>
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[MEMBER]], %c2_i64
// CHECK: scf.if %[[IS]] {
// CHECK:   tile.set_max_registers 40
// CHECK:   scf.for %{{.*}} = %[[CTA]] to %thread_groups step %blocks
// CHECK:     scf.for
// What a sub-tile's steps share is not computed in each of them.
// CHECK-NOT: arith.div
// CHECK:       tile.barrier_wait %[[EMPTY]]
// CHECK:       %[[ROWS:.*]] = tile.slice %{{.*}}[window %{{.*}}, window %{{.*}}] : <bf16, [?, ?]> -> <bf16, [128?, 64?]>
// CHECK:       tile.copy_to_shared %[[ROWS]], {{.*}} unfilled 0 :
// CHECK:       %[[COLUMNS:.*]] = tile.slice %{{.*}}[window %{{.*}}, window %{{.*}}] : <bf16, [?, ?]> -> <bf16, [64?, 256?]>
// CHECK:       tile.copy_to_shared %[[COLUMNS]], %{{[^ ]+}}, %{{[^ ]+}} :
// CHECK: } else {
// CHECK:   tile.set_max_registers increase 232
// CHECK:   scf.for %{{.*}} = %[[CTA]] to %thread_groups step %blocks
// CHECK:     scf.for {{.*}} -> (tensor<64x256xf32>, i64, i1)
// CHECK:       tile.barrier_wait %[[FULL]]
// CHECK:       %[[MINE:.*]] = tile.slice %{{.*}}[window %{{.*}}, whole] : <bf16, [128, 64], smem> -> <bf16, [64, 64], smem>
// CHECK:       tile.wgmma %{{.*}}, %[[MINE]], %{{.*}} -> tensor<64x256xf32>
// CHECK:       tile.wgmma_wait 1
// CHECK:       tile.barrier_arrive %[[EMPTY]]
// CHECK:     tile.wgmma_wait 0
// Four panels of 64 columns, each of which is computed when it is stored, by halves, through two buffers; nothing is
// stored otherwise, since the array ends where they do.
// CHECK:     %[[SUM:.*]] = tile.subtile %{{.*}}[whole, window %c0_i64{{.*}}] : tensor<64x256xf32> -> tensor<64x32xf32>
// CHECK:     %[[HALF:.*]] = tile.cast %[[SUM]] : tensor<64x32xf32> -> tensor<64x32xbf16>
// CHECK:     tile.wait_group 1 read
// CHECK:     tile.store %[[HALF]], %{{.*}} <bf16, [64, 32], smem
// CHECK:     tile.subtile %{{.*}}[whole, window %c32_i64{{.*}}]
// CHECK:     tile.store {{.*}} <bf16, [64, 32], smem
// CHECK:     tile.copy_to_global commit
// CHECK-COUNT-3: tile.copy_to_global commit
// CHECK-NOT: tile.copy_to_global
// CHECK-NOT: tile.store {{.*}} <bf16, [64?, 256?]>
// CHECK:   tile.wait_group 0
// Few rows leave by TMA if it can copy them, as the host finds.
// CHECK-LABEL: tile.kernel @product_0_tensor_small(
// CHECK-SAME: %[[CAN:can_copy]]: i1 {tile.are_copied})
// CHECK: scf.if %[[CAN]] {
// CHECK: tile.copy_to_global commit
// CHECK: } else {
// CHECK: tile.store {{.*}} <bf16, [64?, 64?]>

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

// -----

// Blocks of any size: their columns are copied where they begin at multiples of 16 bytes, and full sub-tiles leave by
// TMA.
// SPLIT-LABEL: tile.entry @quarters(
// SPLIT: plan (%{{.*}}, %{{.*}}, %[[A:.*]], %[[B:.*]], %[[O:.*]], %[[M:.*]], %[[N:.*]], %[[K:.*]])
// SPLIT: tile.can_map %[[A]]
// SPLIT: tile.can_map %[[B]]
// SPLIT: %[[REST:.*]] = arith.remsi %[[N]], %c8_i64
// SPLIT: arith.cmpi eq, %[[REST]], %c0_i64
// CHECK-LABEL: tile.kernel @quarters_0_tensor(
// CHECK: %[[ROWS:.*]] = tile.dim %[[REF:.*]], 0 : !tile.ref<bf16, [64?, 256?]>
// CHECK: %[[ARE:.*]] = arith.cmpi eq, %[[ROWS]], %c64_i64
// CHECK: %[[COLUMNS:.*]] = tile.dim %[[REF]], 1
// CHECK: %[[TOO:.*]] = arith.cmpi eq, %[[COLUMNS]], %c256_i64
// CHECK: %[[FULL:.*]] = arith.andi %[[ARE]], %[[TOO]]
// CHECK: %[[PART:.*]] = tile.cast %{{.*}} : tensor<64x32xf32> -> tensor<64x32xbf16>
// CHECK: scf.if %[[FULL]] {
// CHECK:   tile.store %[[PART]], %{{.*}} <bf16, [64, 32], smem
// CHECK: } else {
// CHECK:   %[[WINDOW:.*]] = tile.slice %[[REF]][whole, window %c0_i64{{.*}}] : <bf16, [64?, 256?]> -> <bf16, [64?, 32?]>
// CHECK:   tile.store %[[PART]], %[[WINDOW]]
// CHECK-COUNT-4: tile.copy_to_global commit
tile.entry @quarters(%x: !tile.array<bf16, 2, const>, %y: !tile.array<bf16, 2, const>, %z: !tile.array<bf16, 2>, %m: i64, %n: i64) attributes {qualified_name = "quarters"} {
  %k = tile.dim %x, 1 : !tile.array<bf16, 2, const>
  %l = tile.dim %y, 0 : !tile.array<bf16, 2, const>
  %same = arith.cmpi eq, %k, %l : i64
  tile.check %same, "the inner dimensions differ"
  %two = arith.constant 2 : i64
  tile.launch "quarters_0" grid(%two, %two) args(in %a = %x : !tile.array<bf16, 2, const>, in %b = %y : !tile.array<bf16, 2, const>, out %c = %z : !tile.array<bf16, 2>, scalar %h = %m : i64, scalar %w = %n : i64, scalar %d = %k : i64) {
    %i = tile.program_id 0
    %j = tile.program_id 1
    %zero = arith.constant 0 : i64
    %row = arith.muli %i, %h : i64
    %column = arith.muli %j, %w : i64
    %rows = tile.slice %a[window %row size %h, window %zero size %d] {spec} : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?, ?]>
    %columns = tile.slice %b[window %zero size %d, window %column size %w] {spec} : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?, ?]>
    %block = tile.slice %c[window %row size %h, window %column size %w] {spec} : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?, ?]>
    %s = tile.load %rows : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %t = tile.load %columns : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %p = tile.dot %s, %t : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    %r = tile.cast %p : tensor<?x?xf32> -> tensor<?x?xbf16>
    tile.store %r, %block : tensor<?x?xbf16>, !tile.ref<bf16, [?, ?]>
    tile.yield
  }
  tile.return
}

// -----

// Of transposed factors, blocks lie in shared memory as they do in their arrays.
// CHECK-LABEL: tile.kernel @transposed_0_tensor(
// CHECK: %[[A:.*]] = tile.alloc : <bf16, [4, 64, 128], smem>
// CHECK: %[[B:.*]] = tile.alloc : <bf16, [4, 256, 64], smem>
// CHECK: %[[TURNED:.*]] = tile.transpose %{{.*}} [1, 0] : <bf16, [64, 128], smem> -> <bf16, [128, 64], smem>
// CHECK: tile.slice %[[TURNED]][window %{{.*}}, whole]
// CHECK: tile.transpose %{{.*}} [1, 0] : <bf16, [256, 64], smem> -> <bf16, [64, 256], smem>
// CHECK: tile.wgmma
tile.entry @transposed(%x: !tile.array<bf16, 2, const>, %y: !tile.array<bf16, 2, const>, %z: !tile.array<f32, 2>) attributes {qualified_name = "transposed"} {
  %k = tile.dim %x, 0 : !tile.array<bf16, 2, const>
  %l = tile.dim %y, 1 : !tile.array<bf16, 2, const>
  %same = arith.cmpi eq, %k, %l : i64
  tile.check %same, "the inner dimensions differ"
  tile.launch "transposed_0" grid() args(in %a = %x : !tile.array<bf16, 2, const>, in %b = %y : !tile.array<bf16, 2, const>, out %c = %z : !tile.array<f32, 2>) {
    %s = tile.load %a : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %left = tile.permute %s [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
    %view = tile.transpose %b [1, 0] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?, ?]>
    %right = tile.load %view : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %d = tile.dot %left, %right : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    tile.store %d, %c : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
