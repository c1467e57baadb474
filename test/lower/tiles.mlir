// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes and shapes tiles.
// RUN: tegula-opt --tile-assign-layouts --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// Broadcasting moves nothing between threads: each repeats what it holds.
// CHECK-LABEL: llvm.func @broadcast
// CHECK: %[[ROW:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %[[ROW]]
// CHECK: llvm.store %[[ROW]]
// CHECK-NOT: llvm.store
// CHECK-NOT: shfl
tile.kernel @broadcast(%x: !tile.ref<f32, [128], align 16>, %o: !tile.ref<f32, [2, 128], align 16>)
    attributes {threads = 32 : i64, team = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128], align 16> -> tensor<128xf32>
  %1 = tile.broadcast %0 [1] : tensor<128xf32> -> tensor<2x128xf32>
  tile.store %1, %o : tensor<2x128xf32>, !tile.ref<f32, [2, 128], align 16>
  tile.return
}

// -----

// Index = offset + what the thread adds + what the register adds, and only then a float.
// CHECK-LABEL: llvm.func @iota
// CHECK-SAME: %[[OFF:[^:]*]]: i64)
// CHECK: %[[BASE:.*]] = llvm.add %{{.*}}, %[[OFF]] : i64
// CHECK: llvm.add %[[BASE]], %{{.*}} : i64
// CHECK: llvm.sitofp %{{.*}} : vector<4xi64> to vector<4xf32>
tile.kernel @iota(%o: !tile.ref<f32, [128], align 16>, %off: i64) attributes {threads = 32 : i64, team = 32 : i64} {
  %0 = tile.iota 0 offset(%off) : tensor<128xf32>
  tile.store %0, %o : tensor<128xf32>, !tile.ref<f32, [128], align 16>
  tile.return
}

// -----

// A tile that a loop carries is its registers.
// CHECK-LABEL: llvm.func @carried
// CHECK: llvm.br ^[[HEAD:.*]](%{{.*}} : i64, vector<4xf32>)
// CHECK: ^[[HEAD]](%{{.*}}: i64, %[[V:.*]]: vector<4xf32>):
// CHECK: llvm.fadd %[[V]], %[[V]] : vector<4xf32>
tile.kernel @carried(%x: !tile.ref<f32, [128], align 16>, %n: i64) attributes {threads = 32 : i64, team = 32 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = tile.load %x : !tile.ref<f32, [128], align 16> -> tensor<128xf32>
  %1 = scf.for %i = %zero to %n step %one iter_args(%v = %0) -> (tensor<128xf32>) : i64 {
    %2 = tile.add %v, %v : tensor<128xf32>
    scf.yield %2 : tensor<128xf32>
  }
  tile.store %1, %x : tensor<128xf32>, !tile.ref<f32, [128], align 16>
  tile.return
}

// -----

// One thread of the team prints.
// CHECK-DAG: llvm.mlir.global internal constant @[[FORMAT:print_format_[0-9]+]]("100%% %lld is %g and %llu, %s\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[TRUE:print_format_[0-9]+]]("true\00")
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-LABEL: llvm.func @print
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: llvm.cond_br %[[FIRST]]
// CHECK: llvm.call @vprintf
tile.kernel @print(%a: i32, %b: f32, %c: i32, %d: i1) attributes {threads = 32 : i64, team = 32 : i64} {
  tile.debug_print "100% {} is {} and {}, {}", %a, %b, %c, %d : i32, f32, i32, i1 {is_unsigned = [false, false, true, false]}
  tile.return
}
