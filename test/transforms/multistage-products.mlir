// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of bf16 becomes, on chips with cp.async and without wgmma, a ring of stages that all threads fill and
// mma.sync multiplies.
// RUN: tegula-opt --split-input-file --tile-split='classes=8.x variants=tensor,small' --canonicalize --cse %s | FileCheck %s --check-prefix=SPLIT
// RUN: tegula-opt --split-input-file --tile-split='classes=8.x variants=tensor,small' --tile-specialize-products --canonicalize --cse %s | FileCheck %s
// RUN: tegula-opt --split-input-file --tile-split='classes=8.x,9.0a,12.x' %s | FileCheck %s --check-prefix=CLASSES

// 8.x and 12.x have one plan.
// CLASSES: tile.is_class ["8.x", "12.x"]
// CLASSES: tile.kernel @product_0_tensor_dense({{.*}} attributes {classes = ["8.x", "12.x"], consumers = 2 : i64, group = 128 : i64, mma_sync,

// The host asks whether the factors are aligned, then whether all arrays are, and the factors' rows whole units.
// SPLIT: plan (%[[A:.*]], %[[B:.*]], %[[O:.*]])
// SPLIT: %[[FACTORS:.*]] = tile.dense 16, %[[A]], %[[B]] :
// SPLIT: %[[FEW:.*]] = arith.cmpi slt, %{{.*}}, %c268435456_i64
// SPLIT: %[[CAN:.*]] = arith.andi %[[FACTORS]], %[[FEW]]
// SPLIT: scf.if %[[CAN]] {
// SPLIT:   %[[ALL:.*]] = tile.dense 16, %[[A]], %[[B]], %[[O]] :
// SPLIT:   %[[REST:.*]] = arith.remsi %{{.*}}, %c8_i64
// SPLIT:   %[[LEFT:.*]] = arith.cmpi eq, %[[REST]], %c0_i64
// SPLIT:   %[[REST:.*]] = arith.remsi %{{.*}}, %c8_i64
// SPLIT:   %[[RIGHT:.*]] = arith.cmpi eq, %[[REST]], %c0_i64
// SPLIT:   %[[BOTH:.*]] = arith.andi %[[LEFT]], %[[RIGHT]]
// SPLIT:   %[[EVEN:.*]] = arith.andi %[[ALL]], %[[BOTH]]
// SPLIT:   %[[SUITS:.*]] = arith.cmpi sle
// SPLIT:   %[[WIDE:.*]] = arith.andi %[[EVEN]], %[[SUITS]]
// SPLIT:   scf.if %[[WIDE]] {
// SPLIT:     tile.launch_kernel @product_0_tensor_dense blocks
// SPLIT:   } else {
// SPLIT:     tile.launch_kernel @product_0_tensor_small blocks
// SPLIT: } else {
// SPLIT:   tile.launch_kernel @product_0_tensor_any blocks
// SPLIT-NOT: tile.launch_kernel
// That one has sub-tiles of any number.
// SPLIT-LABEL: tile.kernel @product_0_tensor_dense(
// SPLIT-NOT: arith.divui {{.*}}, %tiles{{.*}} : i64
// SPLIT-LABEL: tile.kernel @product_0_tensor_any(
// SPLIT: arith.divui {{.*}} : i64

// All consumers' rows, and the columns, are copied by all threads; a stage is half of a step.
// CHECK-LABEL: tile.kernel @product_0_tensor_dense(
// CHECK-SAME: attributes {group = 128 : i64, threads = 256 : i64}
// CHECK: %[[MEMBER:.*]] = arith.remui
// CHECK: %[[A:.*]] = tile.alloc : <bf16, [4, 128, 32], smem>
// CHECK: %[[B:.*]] = tile.alloc : <bf16, [4, 32, 256], smem>
// CHECK: scf.for
// CHECK:   %[[FIRST:.*]] = arith.muli %[[MEMBER]], %c64_i64
// CHECK:   %[[STAGES:.*]] = arith.muli %{{.*}}, %c2_i64
// CHECK:   tile.cp_async_wait 0
// CHECK:   tile.cp_async %{{.*}} if %{{.*}} : <bf16, [128?, 32?], align 16 even>, <bf16, [128, 32], smem>
// CHECK:   tile.cp_async %{{.*}} if %{{.*}} : <bf16, [32?, 256?], align 16 even>, <bf16, [32, 256], smem>
// CHECK:   tile.cp_async_commit
// CHECK-COUNT-2: tile.cp_async_commit
// CHECK:   tile.cp_async_wait 2
// CHECK:   tile.load {{.*}} -> tensor<64x16xbf16>
// CHECK:   tile.load {{.*}} -> tensor<256x16xbf16>
// CHECK:   scf.for %[[I:.*]] = %c0_i64 to %[[STAGES]] step %c1_i64 iter_args(%[[SUM:.*]] = %{{.*}}, %[[LEFT:.*]] = %{{.*}}, %[[RIGHT:.*]] = %{{.*}}, %[[STAGE:.*]] = %c0_i32, %[[FREE:.*]] = %c3_i32)
// CHECK:     %[[INDEX:.*]] = arith.extui %[[STAGE]] : i32 to i64
// CHECK:     %[[BLOCK:.*]] = tile.slice %[[A]][element %[[INDEX]], whole, whole]
// CHECK:     tile.slice %[[BLOCK]][window %[[FIRST]], window %c16_i64] : {{.*}} -> <bf16, [64, 16], smem>
// CHECK:     %[[TURNED:.*]] = tile.transpose {{.*}} -> <bf16, [256, 32], smem>
// CHECK:     tile.slice %[[TURNED]][whole, window %c16_i64]
// CHECK:     %[[AHEAD:.*]] = arith.addi %[[I]], %c3_i64
// CHECK:     %[[IS:.*]] = arith.cmpi slt, %[[AHEAD]], %[[STAGES]]
// CHECK:     arith.divui %[[AHEAD]], %c2_i64
// CHECK:     %[[INTO:.*]] = arith.extui %[[FREE]] : i32 to i64
// CHECK:     tile.slice %[[A]][element %[[INTO]], whole, whole]
// CHECK:     tile.cp_async %{{.*}} if %[[IS]]
// CHECK:     tile.slice %[[B]][element %[[INTO]], whole, whole]
// CHECK:     tile.cp_async %{{.*}} if %[[IS]]
// CHECK:     tile.cp_async_commit
// CHECK:     %[[HALF:.*]] = tile.mma %[[SUM]], %[[LEFT]], %[[RIGHT]] : tensor<64x16xbf16>, tensor<256x16xbf16> -> tensor<64x256xf32>
// CHECK:     tile.cp_async_wait 2
// CHECK:     %[[BEHIND:.*]] = arith.addi %[[STAGE]], %c1_i32
// CHECK:     %[[END:.*]] = arith.cmpi eq, %[[BEHIND]], %c4_i32
// CHECK:     %[[NEXT:.*]] = arith.select %[[END]], %c0_i32, %[[BEHIND]]
// CHECK:     %[[BLOCK:.*]] = arith.extui %[[NEXT]] : i32 to i64
// CHECK:     tile.slice %[[A]][element %[[BLOCK]], whole, whole]
// CHECK:     %[[DONE:.*]] = tile.mma %[[HALF]],
// CHECK:     scf.yield %[[DONE]], %{{.*}}, %{{.*}}, %[[NEXT]], %[[STAGE]]
// CHECK:   tile.cast
// CHECK:   tile.store
// CHECK-LABEL: tile.kernel @product_0_tensor_small(
// CHECK: tile.alloc : <bf16, [6, 128, 32], smem>
// CHECK: tile.alloc : <bf16, [6, 32, 64], smem>

// What cp.async cannot copy waits in registers while a stage is multiplied, and takes its place. Behind the end of a
// window there is 0.
// CHECK-LABEL: tile.kernel @product_0_tensor_any(
// CHECK-SAME: attributes {group = 128 : i64, threads = 128 : i64}
// CHECK-NOT: tile.cp_async
// CHECK: %[[A:.*]] = tile.alloc : <bf16, [2, 64, 16], smem>
// CHECK: %[[B:.*]] = tile.alloc : <bf16, [2, 16, 64], smem>
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %[[STAGES:.*]] step %c1_i64 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[STAGE:.*]] = %c0_i32)
// CHECK:   %[[AHEAD:.*]] = arith.addi %[[I]], %c2_i64
// CHECK:   %[[IS:.*]] = arith.cmpi slt, %[[AHEAD]], %[[STAGES]]
// CHECK:   %[[TILES:.*]]:2 = scf.if %[[IS]]
// CHECK:     %[[TRUE:.*]] = tile.full %true
// CHECK:     %[[ZERO:.*]] = tile.full
// CHECK:     tile.load %{{.*}} mask %[[TRUE]] : tensor<64x16xi1> other %[[ZERO]] : tensor<64x16xbf16> : <bf16, [64?, 16?]>
// CHECK:   } else {
// CHECK:     tile.undefined
// CHECK:   tile.mma
// CHECK:   tile.store %[[TILES]]#0, %{{.*}} : tensor<64x16xbf16>, <bf16, [64, 16], smem>
// CHECK:   tile.store %[[TILES]]#1, %{{.*}} : tensor<16x64xbf16>, <bf16, [16, 64], smem>
// CHECK-NOT: tile.cp_async
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

// Of transposed factors, stages are in the order of their arrays.
// CHECK-LABEL: tile.kernel @transposed_0_tensor_dense(
// CHECK: tile.alloc : <bf16, [4, 32, 128], smem>
// CHECK: tile.alloc : <bf16, [4, 256, 32], smem>
// CHECK: scf.for
// CHECK: scf.for
// CHECK:   tile.transpose {{.*}} [1, 0] : <bf16, [32, 128], smem> -> <bf16, [128, 32], smem>
// CHECK-NOT: tile.transpose {{.*}} <bf16, [256, 32], smem> ->
// CHECK:   tile.mma {{.*}} tensor<64x16xbf16>, tensor<256x16xbf16>
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

// -----

// What ends inside its array ends there for cp.async, too.
// SPLIT-LABEL: tile.entry @first(
// SPLIT: tile.launch_kernel @first_0_tensor_dense
// CHECK-LABEL: tile.kernel @first_0_tensor_dense(
// CHECK: tile.slice %{{.*}}[whole, window %c0_i64 size %{{.*}}] : <bf16, [?, ?], align 16>
// CHECK: tile.cp_async {{.*}} <bf16, [128?, 32?], align 16 even>
tile.entry @first(%x: !tile.array<bf16, 2, const>, %y: !tile.array<bf16, 2, const>, %z: !tile.array<f32, 2>, %depth: i64) attributes {qualified_name = "first"} {
  tile.launch "first_0" grid() args(in %a = %x : !tile.array<bf16, 2, const>, in %b = %y : !tile.array<bf16, 2, const>, out %c = %z : !tile.array<f32, 2>, scalar %k = %depth : i64) {
    %zero = arith.constant 0 : i64
    %columns = tile.slice %a[whole, window %zero size %k] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?, ?]>
    %rows = tile.slice %b[window %zero size %k, whole] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?, ?]>
    %s = tile.load %columns : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %t = tile.load %rows : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %d = tile.dot %s, %t : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    tile.store %d, %c : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
