// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sub-tile that what else is made for it leaves fewer columns than an instruction of the tensor cores has: FMA units.
// RUN: tegulac --arch sm_80 --arch sm_90a --emit=ptx %s -o %t.ptx 2>&1 | FileCheck %s
// CHECK: products-few-columns.mlir:[[@LINE+13]]:{{.*}} warning: this product runs on FMA units
// CHECK-SAME: the program cannot be cut into sub-tiles for them
tile.entry @column(%x: !tile.array<bf16, 2>, %y: !tile.array<bf16, 2>, %o: !tile.array<f32, 2>, %p: !tile.array<i1, 2>, %n: i64) attributes {qualified_name = "column"} {
  %dx = tile.dim %x, 1 : !tile.array<bf16, 2>
  %dy = tile.dim %y, 0 : !tile.array<bf16, 2>
  %e = arith.cmpi eq, %dx, %dy : i64
  tile.check %e, "as long"
  tile.launch "column_0" grid() args(in %a = %x : !tile.array<bf16, 2>, in %b = %y : !tile.array<bf16, 2>, out %r = %o : !tile.array<f32, 2>, in %q = %p : !tile.array<i1, 2>, scalar %m = %n : i64) {
    %aw = tile.slice %a[window %m, whole] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [1?, ?]>
    %bw = tile.slice %b[whole, window %m] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?, 1?]>
    %rw = tile.slice %r[window %m, window %m] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [1?, 1?]>
    %s = tile.load %aw : !tile.ref<bf16, [1?, ?]> -> tensor<1x?xbf16>
    %t = tile.load %bw : !tile.ref<bf16, [?, 1?]> -> tensor<?x1xbf16>
    %d = tile.dot %s, %t : tensor<1x?xbf16>, tensor<?x1xbf16> -> tensor<1x1xf32>
    %qw = tile.slice %q[window %m, window %m] : !tile.ref<i1, [?, ?]> -> !tile.ref<i1, [1?, 1?]>
    %l = tile.load %qw : !tile.ref<i1, [1?, 1?]> -> tensor<1x1xi1>
    %any = tile.reduce any %l [1] : tensor<1x1xi1> -> tensor<1xi1>
    %all = tile.broadcast %any [0] : tensor<1xi1> -> tensor<1x1xi1>
    tile.store %d, %rw mask %all : tensor<1x1xi1> : tensor<1x1xf32>, !tile.ref<f32, [1?, 1?]>
    tile.yield
  }
  tile.return
}
