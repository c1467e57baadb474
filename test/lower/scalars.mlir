// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars: what is undefined in arith means what it means on tiles.
// RUN: tegula-opt --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// CHECK-LABEL: llvm.func @division
// CHECK-SAME: (%{{.*}}: !llvm.ptr<1>, %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[B]]
// CHECK: %[[MINUS:.*]] = llvm.icmp "eq" %[[B]]
// CHECK: %[[BAD:.*]] = llvm.or %[[ZERO]], %[[MINUS]]
// CHECK: %[[SAFE:.*]] = llvm.select %[[BAD]], %{{.*}}, %[[B]]
// CHECK: %[[Q:.*]] = llvm.sdiv %[[A]], %[[SAFE]]
// CHECK: %[[NEG:.*]] = llvm.sub %{{.*}}, %[[A]]
// CHECK: %[[Q1:.*]] = llvm.select %[[MINUS]], %[[NEG]], %[[Q]]
// CHECK: llvm.select %[[ZERO]], %{{.*}}, %[[Q1]]
#rank0 = #tile.layout<blocked<[], lanes []>>
tile.kernel @division(%o: !tile.ref<i64, []>, %a: i64, %b: i64) attributes {threads = 1 : i64, group = 1 : i64} {
  %0 = arith.divsi %a, %b : i64
  %1 = tile.full %0 : i64 -> tensor<i64, #rank0>
  tile.store %1, %o : tensor<i64, #rank0>, !tile.ref<i64, []>
  tile.return
}

// -----

// Nothing is left to do where the divisor is known.
// CHECK-LABEL: llvm.func @constant_division
// CHECK-NOT: llvm.select
// CHECK: llvm.udiv
#rank0 = #tile.layout<blocked<[], lanes []>>
tile.kernel @constant_division(%o: !tile.ref<i64, []>, %a: i64) attributes {threads = 1 : i64, group = 1 : i64} {
  %b = arith.constant 10 : i64
  %0 = arith.divui %a, %b : i64
  %1 = tile.full %0 : i64 -> tensor<i64, #rank0>
  tile.store %1, %o : tensor<i64, #rank0>, !tile.ref<i64, []>
  tile.return
}

// -----

// CHECK-LABEL: llvm.func @shift
// CHECK-SAME: (%{{.*}}: !llvm.ptr<1>, %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK: %[[IN:.*]] = llvm.icmp "ult" %[[B]]
// CHECK: %[[R:.*]] = llvm.shl %[[A]], %[[B]]
// CHECK: llvm.select %[[IN]], %[[R]]
#rank0 = #tile.layout<blocked<[], lanes []>>
tile.kernel @shift(%o: !tile.ref<i64, []>, %a: i64, %b: i64) attributes {threads = 1 : i64, group = 1 : i64} {
  %0 = arith.shli %a, %b : i64
  %1 = tile.full %0 : i64 -> tensor<i64, #rank0>
  tile.store %1, %o : tensor<i64, #rank0>, !tile.ref<i64, []>
  tile.return
}
