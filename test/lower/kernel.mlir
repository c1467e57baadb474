// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel becomes: a function of slots of 8 bytes, and thread groups from the thread's number.
// RUN: tegula-opt --tile-assign-layouts --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// A ref is its pointer, dims and strides; a scalar the low bytes of its slot.
// CHECK-LABEL: llvm.func @parameters
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[DIM:.*]]: i64, %[[STRIDE:.*]]: i64, %[[E:.*]]: !llvm.ptr<1>, %[[N:.*]]: i64, %[[F:.*]]: i64, %[[H:.*]]: i64, %[[B:.*]]: i64, %[[D:.*]]: i64)
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.reqntid = array<i32: 64, 1, 1>
// CHECK-DAG: llvm.trunc %[[N]] : i64 to i32
// CHECK-DAG: %[[F32:.*]] = llvm.trunc %[[F]] : i64 to i32
// CHECK-DAG: llvm.bitcast %[[F32]] : i32 to f32
// CHECK-DAG: %[[F16:.*]] = llvm.trunc %[[H]] : i64 to i16
// CHECK-DAG: llvm.bitcast %[[F16]] : i16 to f16
// CHECK-DAG: llvm.trunc %[[B]] : i64 to i1
// CHECK-DAG: llvm.bitcast %[[D]] : i64 to f64
tile.kernel @parameters(%x: !tile.ref<f32, [?]>, %e: !tile.ref<i32, []>, %n: i32, %f: f32, %h: f16, %b: i1, %d: f64)
    attributes {threads = 64 : i64, group = 64 : i64} {
  tile.return
}

// -----

// Host code is no part of it.
// CHECK-NOT: tile.entry
tile.entry @host() attributes {qualified_name = "host"} {
  tile.return
}

// -----

// A thread group that is a block.
// CHECK-LABEL: llvm.func @block_groups
// CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[TEAM:.*]] = llvm.zext %[[BLOCK]] : i32 to i64
// CHECK-NOT: llvm.add
// CHECK: llvm.store %[[TEAM]]
tile.kernel @block_groups(%o: !tile.ref<i64, []>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.thread_group
  %1 = tile.full %0 : i64 -> tensor<i64>
  tile.store %1, %o : tensor<i64>, !tile.ref<i64, []>
  tile.return
}

// -----

// 4 thread groups of 32 in a block: thread group = block * 4 + thread / 32.
// CHECK-LABEL: llvm.func @packed_groups
// CHECK-DAG: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK-DAG: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK-DAG: %[[FIVE:.*]] = llvm.mlir.constant(5 : i32)
// CHECK-DAG: %[[WIDE:.*]] = llvm.zext %[[BLOCK]] : i32 to i64
// CHECK-DAG: %[[WITHIN:.*]] = llvm.lshr %[[THREAD]], %[[FIVE]]
// CHECK-DAG: %[[FIRST:.*]] = llvm.mul %[[WIDE]], %[[FOUR]]
// CHECK-DAG: %[[OWN:.*]] = llvm.zext %[[WITHIN]]
// CHECK: %[[TEAM:.*]] = llvm.add %[[FIRST]], %[[OWN]]
// CHECK: llvm.store %[[TEAM]]
tile.kernel @packed_groups(%o: !tile.ref<i64, []>) attributes {threads = 128 : i64, group = 32 : i64} {
  %0 = tile.thread_group
  %1 = tile.full %0 : i64 -> tensor<i64>
  tile.store %1, %o : tensor<i64>, !tile.ref<i64, []>
  tile.return
}
