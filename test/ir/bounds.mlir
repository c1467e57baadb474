// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --canonicalize %s | FileCheck %s
// Exponentials of what is never positive are told so: of a tile less its maximum, or less what is at least that.

// A row less its maximum, which is repeated along the row.
// CHECK-LABEL: tile.kernel @rows
// CHECK: tile.exp %{{[0-9]+}} {tile.never_positive} : tensor<64x64xf32>
tile.kernel @rows(%x: !tile.ref<f32, [64, 64]>, %o: !tile.ref<f32, [64, 64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %m = tile.reduce max %t [1] : tensor<64x64xf32> -> tensor<64xf32>
  %b = tile.broadcast %m [0] : tensor<64xf32> -> tensor<64x64xf32>
  %d = tile.sub %t, %b : tensor<64x64xf32>
  %e = tile.exp %d : tensor<64x64xf32>
  tile.store %e, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// The maxima of the rows, repeated along the columns: each column is less that of another place.
// CHECK-LABEL: tile.kernel @across
// CHECK: tile.exp %{{[0-9]+}} : tensor<64x64xf32>
tile.kernel @across(%x: !tile.ref<f32, [64, 64]>, %o: !tile.ref<f32, [64, 64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %m = tile.reduce max %t [1] : tensor<64x64xf32> -> tensor<64xf32>
  %b = tile.broadcast %m [1] : tensor<64xf32> -> tensor<64x64xf32>
  %d = tile.sub %t, %b : tensor<64x64xf32>
  %e = tile.exp %d : tensor<64x64xf32>
  tile.store %e, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// Columns, with a dimension of extent 1 on the way.
// CHECK-LABEL: tile.kernel @columns
// CHECK: tile.exp %{{[0-9]+}} {tile.never_positive} : tensor<64x64xf32>
tile.kernel @columns(%x: !tile.ref<f32, [64, 64]>, %o: !tile.ref<f32, [64, 64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %m = tile.reduce max %t [0] : tensor<64x64xf32> -> tensor<64xf32>
  %k = tile.broadcast %m [1] : tensor<64xf32> -> tensor<1x64xf32>
  %b = tile.broadcast %k [0, 1] : tensor<1x64xf32> -> tensor<64x64xf32>
  %d = tile.sub %t, %b : tensor<64x64xf32>
  %e = tile.exp %d : tensor<64x64xf32>
  tile.store %e, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// CHECK-LABEL: tile.kernel @columns_across
// CHECK: tile.exp %{{[0-9]+}} : tensor<64x64xf32>
tile.kernel @columns_across(%x: !tile.ref<f32, [64, 64]>, %o: !tile.ref<f32, [64, 64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %m = tile.reduce max %t [0] : tensor<64x64xf32> -> tensor<64xf32>
  %k = tile.broadcast %m [0] : tensor<64xf32> -> tensor<64x1xf32>
  %b = tile.broadcast %k [0, 1] : tensor<64x1xf32> -> tensor<64x64xf32>
  %d = tile.sub %t, %b : tensor<64x64xf32>
  %e = tile.exp %d : tensor<64x64xf32>
  tile.store %e, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// Widened elements, whose maximum is taken before they are; and the greatest of all, a number.
// CHECK-LABEL: tile.kernel @numbers
// CHECK: tile.reduce max %{{.*}} : tensor<64x64xbf16> -> tensor<bf16>
// CHECK: tile.exp %{{[0-9]+}} {tile.never_positive} : tensor<64x64xf32>
tile.kernel @numbers(%x: !tile.ref<bf16, [64, 64]>, %o: !tile.ref<f32, [64, 64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<bf16, [64, 64]> -> tensor<64x64xbf16>
  %w = tile.cast %t : tensor<64x64xbf16> -> tensor<64x64xf32>
  %m = tile.reduce max %w [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = tile.extract %m : tensor<f32> -> f32
  %b = tile.full %n : f32 -> tensor<64x64xf32>
  %d = tile.sub %w, %b : tensor<64x64xf32>
  %e = tile.exp %d : tensor<64x64xf32>
  tile.store %e, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// What was rounded down can be less than an element was before.
// CHECK-LABEL: tile.kernel @rounded
// CHECK: tile.exp %{{[0-9]+}} : tensor<64xf32>
tile.kernel @rounded(%x: !tile.ref<f32, [64]>, %o: !tile.ref<f32, [64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  %w = tile.cast %t : tensor<64xf32> -> tensor<64xbf16>
  %m = tile.reduce max %w [0] : tensor<64xbf16> -> tensor<bf16>
  %n = tile.cast %m : tensor<bf16> -> tensor<f32>
  %b = tile.broadcast %n [] : tensor<f32> -> tensor<64xf32>
  %d = tile.sub %t, %b : tensor<64xf32>
  %e = tile.exp %d : tensor<64xf32>
  tile.store %e, %o : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}

// As in an online softmax: less the greater of the maximum now and that before. What was before is less that, too.
// CHECK-LABEL: tile.kernel @online
// CHECK: scf.for
// CHECK: tile.exp %{{[0-9]+}} {tile.never_positive} : tensor<8x64xf32>
// CHECK: tile.exp %{{[0-9]+}} {tile.never_positive} : tensor<8xf32>
tile.kernel @online(%x: !tile.ref<f32, [8, 64]>, %o: !tile.ref<f32, [8, 64]>, %p: !tile.ref<f32, [8]>, %n: i64, %low: f32) attributes {threads = 32 : i64, group = 32 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %before = tile.full %low : f32 -> tensor<8xf32>
  scf.for %i = %zero to %n step %one iter_args(%old = %before) -> (tensor<8xf32>) : i64 {
    %t = tile.load %x : !tile.ref<f32, [8, 64]> -> tensor<8x64xf32>
    %m = tile.reduce max %t [1] : tensor<8x64xf32> -> tensor<8xf32>
    %new = tile.maximum %old, %m : tensor<8xf32>
    %b = tile.broadcast %new [0] : tensor<8xf32> -> tensor<8x64xf32>
    %d = tile.sub %t, %b : tensor<8x64xf32>
    %e = tile.exp %d : tensor<8x64xf32>
    tile.store %e, %o : tensor<8x64xf32>, !tile.ref<f32, [8, 64]>
    %change = tile.sub %old, %new : tensor<8xf32>
    %scale = tile.exp %change : tensor<8xf32>
    tile.store %scale, %p : tensor<8xf32>, !tile.ref<f32, [8]>
    scf.yield %new : tensor<8xf32>
  }
  tile.return
}

// The maximum of another tile, the least element, the lesser of two, the maximum less the tile, the tile itself; f64.
// CHECK-LABEL: tile.kernel @anything
// CHECK-COUNT-5: tile.exp %{{[0-9]+}} : tensor<64xf32>
// CHECK: tile.exp %{{[0-9]+}} : tensor<64xf64>
// CHECK-NOT: never_positive
// CHECK: tile.return
tile.kernel @anything(%x: !tile.ref<f32, [64]>, %y: !tile.ref<f32, [64]>, %o: !tile.ref<f32, [64]>, %p: !tile.ref<f64, [64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  %u = tile.load %y : !tile.ref<f32, [64]> -> tensor<64xf32>
  %max = tile.reduce max %t [0] : tensor<64xf32> -> tensor<f32>
  %maxb = tile.broadcast %max [] : tensor<f32> -> tensor<64xf32>
  %other = tile.sub %u, %maxb : tensor<64xf32>
  %e0 = tile.exp %other : tensor<64xf32>
  tile.store %e0, %o : tensor<64xf32>, !tile.ref<f32, [64]>
  %min = tile.reduce min %t [0] : tensor<64xf32> -> tensor<f32>
  %minb = tile.broadcast %min [] : tensor<f32> -> tensor<64xf32>
  %least = tile.sub %t, %minb : tensor<64xf32>
  %e1 = tile.exp %least : tensor<64xf32>
  tile.store %e1, %o : tensor<64xf32>, !tile.ref<f32, [64]>
  %both = tile.minimum %maxb, %u : tensor<64xf32>
  %lesser = tile.sub %t, %both : tensor<64xf32>
  %e2 = tile.exp %lesser : tensor<64xf32>
  tile.store %e2, %o : tensor<64xf32>, !tile.ref<f32, [64]>
  %above = tile.sub %maxb, %t : tensor<64xf32>
  %e3 = tile.exp %above : tensor<64xf32>
  tile.store %e3, %o : tensor<64xf32>, !tile.ref<f32, [64]>
  %e4 = tile.exp %t : tensor<64xf32>
  tile.store %e4, %o : tensor<64xf32>, !tile.ref<f32, [64]>
  %wide = tile.cast %t : tensor<64xf32> -> tensor<64xf64>
  %widemax = tile.reduce max %wide [0] : tensor<64xf64> -> tensor<f64>
  %wideb = tile.broadcast %widemax [] : tensor<f64> -> tensor<64xf64>
  %wided = tile.sub %wide, %wideb : tensor<64xf64>
  %e5 = tile.exp %wided : tensor<64xf64>
  tile.store %e5, %p : tensor<64xf64>, !tile.ref<f64, [64]>
  tile.return
}
