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
    attributes {threads = 32 : i64, group = 32 : i64} {
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
tile.kernel @iota(%o: !tile.ref<f32, [128], align 16>, %off: i64) attributes {threads = 32 : i64, group = 32 : i64} {
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
tile.kernel @carried(%x: !tile.ref<f32, [128], align 16>, %n: i64) attributes {threads = 32 : i64, group = 32 : i64} {
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

// One thread of the thread group prints.
// CHECK-DAG: llvm.mlir.global internal constant @[[FORMAT:print_format_[0-9]+]]("100%% %lld is %g and %llu, %s\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[TRUE:print_format_[0-9]+]]("true\00")
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-LABEL: llvm.func @print
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: llvm.cond_br %[[FIRST]]
// CHECK: llvm.call @vprintf
tile.kernel @print(%a: i32, %b: f32, %c: i32, %d: i1) attributes {threads = 32 : i64, group = 32 : i64} {
  tile.debug_print "100% {} is {} and {}, {}", %a, %b, %c, %d : i32, f32, i32, i1 {is_unsigned = [false, false, true, false]}
  tile.return
}

// -----

// However many tiles there are: each exponential finds its operand.
// CHECK-LABEL: llvm.func @many
// CHECK-COUNT-50: llvm.nvvm.ex2.approx.ftz.f
// CHECK: llvm.return
tile.kernel @many(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.exp %0 {tile.never_positive} : tensor<32xf32>
  %2 = tile.exp %1 {tile.never_positive} : tensor<32xf32>
  %3 = tile.exp %2 {tile.never_positive} : tensor<32xf32>
  %4 = tile.exp %3 {tile.never_positive} : tensor<32xf32>
  %5 = tile.exp %4 {tile.never_positive} : tensor<32xf32>
  %6 = tile.exp %5 {tile.never_positive} : tensor<32xf32>
  %7 = tile.exp %6 {tile.never_positive} : tensor<32xf32>
  %8 = tile.exp %7 {tile.never_positive} : tensor<32xf32>
  %9 = tile.exp %8 {tile.never_positive} : tensor<32xf32>
  %10 = tile.exp %9 {tile.never_positive} : tensor<32xf32>
  %11 = tile.exp %10 {tile.never_positive} : tensor<32xf32>
  %12 = tile.exp %11 {tile.never_positive} : tensor<32xf32>
  %13 = tile.exp %12 {tile.never_positive} : tensor<32xf32>
  %14 = tile.exp %13 {tile.never_positive} : tensor<32xf32>
  %15 = tile.exp %14 {tile.never_positive} : tensor<32xf32>
  %16 = tile.exp %15 {tile.never_positive} : tensor<32xf32>
  %17 = tile.exp %16 {tile.never_positive} : tensor<32xf32>
  %18 = tile.exp %17 {tile.never_positive} : tensor<32xf32>
  %19 = tile.exp %18 {tile.never_positive} : tensor<32xf32>
  %20 = tile.exp %19 {tile.never_positive} : tensor<32xf32>
  %21 = tile.exp %20 {tile.never_positive} : tensor<32xf32>
  %22 = tile.exp %21 {tile.never_positive} : tensor<32xf32>
  %23 = tile.exp %22 {tile.never_positive} : tensor<32xf32>
  %24 = tile.exp %23 {tile.never_positive} : tensor<32xf32>
  %25 = tile.exp %24 {tile.never_positive} : tensor<32xf32>
  %26 = tile.exp %25 {tile.never_positive} : tensor<32xf32>
  %27 = tile.exp %26 {tile.never_positive} : tensor<32xf32>
  %28 = tile.exp %27 {tile.never_positive} : tensor<32xf32>
  %29 = tile.exp %28 {tile.never_positive} : tensor<32xf32>
  %30 = tile.exp %29 {tile.never_positive} : tensor<32xf32>
  %31 = tile.exp %30 {tile.never_positive} : tensor<32xf32>
  %32 = tile.exp %31 {tile.never_positive} : tensor<32xf32>
  %33 = tile.exp %32 {tile.never_positive} : tensor<32xf32>
  %34 = tile.exp %33 {tile.never_positive} : tensor<32xf32>
  %35 = tile.exp %34 {tile.never_positive} : tensor<32xf32>
  %36 = tile.exp %35 {tile.never_positive} : tensor<32xf32>
  %37 = tile.exp %36 {tile.never_positive} : tensor<32xf32>
  %38 = tile.exp %37 {tile.never_positive} : tensor<32xf32>
  %39 = tile.exp %38 {tile.never_positive} : tensor<32xf32>
  %40 = tile.exp %39 {tile.never_positive} : tensor<32xf32>
  %41 = tile.exp %40 {tile.never_positive} : tensor<32xf32>
  %42 = tile.exp %41 {tile.never_positive} : tensor<32xf32>
  %43 = tile.exp %42 {tile.never_positive} : tensor<32xf32>
  %44 = tile.exp %43 {tile.never_positive} : tensor<32xf32>
  %45 = tile.exp %44 {tile.never_positive} : tensor<32xf32>
  %46 = tile.exp %45 {tile.never_positive} : tensor<32xf32>
  %47 = tile.exp %46 {tile.never_positive} : tensor<32xf32>
  %48 = tile.exp %47 {tile.never_positive} : tensor<32xf32>
  %49 = tile.exp %48 {tile.never_positive} : tensor<32xf32>
  %50 = tile.exp %49 {tile.never_positive} : tensor<32xf32>
  tile.store %50, %x : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// -----

// An opaque tile is each of its words or'ed with a 0 that only runs know: the third number of a block in its grid. What
// does not fill words is left as it is.
// CHECK-LABEL: llvm.func @opaque
// CHECK: %[[ZERO:.*]] = llvm.inline_asm "mov.u32 $0, %ctaid.z;", "=r"
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<2xi32>
// CHECK-COUNT-2: llvm.inline_asm has_side_effects "or.b32 $0, $1, $2;", "=r,r,r" %{{.*}}, %[[ZERO]]
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xbf16>
// CHECK-NOT: or.b32
// CHECK: %[[Y:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> bf16
// CHECK: llvm.store %[[Y]]
tile.kernel @opaque(%x: !tile.ref<bf16, [128], align 8>, %o: !tile.ref<bf16, [128], align 8>, %y: !tile.ref<bf16, [32]>, %p: !tile.ref<bf16, [32]>)
    attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [128], align 8> -> tensor<128xbf16>
  %1 = tile.opaque %0 : tensor<128xbf16>
  tile.store %1, %o : tensor<128xbf16>, !tile.ref<bf16, [128], align 8>
  %2 = tile.load %y : !tile.ref<bf16, [32]> -> tensor<32xbf16>
  %3 = tile.opaque %2 : tensor<32xbf16>
  tile.store %3, %p : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}
