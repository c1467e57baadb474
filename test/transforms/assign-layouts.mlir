// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-assign-layouts --split-input-file %s | FileCheck %s

// The widest access that a ref's alignment proves: 16 bytes.
// CHECK-LABEL: @widths
tile.kernel @widths(%a: !tile.ref<f32, [4096], align 16>, %b: !tile.ref<bf16, [8192], align 16>,
                    %c: !tile.ref<ui8, [16384], align 16>, %d: !tile.ref<f32, [2048], align 8>,
                    %e: !tile.ref<f32, [1024]>, %f: !tile.ref<f64, [512], align 32>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  // CHECK: tensor<4096xf32, #tile.layout<blocked<[4], lanes [32], warps [4]>>>
  %0 = tile.load %a : !tile.ref<f32, [4096], align 16> -> tensor<4096xf32>
  // CHECK: tensor<8192xbf16, #tile.layout<blocked<[8], lanes [32], warps [4]>>>
  %1 = tile.load %b : !tile.ref<bf16, [8192], align 16> -> tensor<8192xbf16>
  // CHECK: tensor<16384xui8, #tile.layout<blocked<[16], lanes [32], warps [4]>>>
  %2 = tile.load %c : !tile.ref<ui8, [16384], align 16> -> tensor<16384xui8>
  // CHECK: tensor<2048xf32, #tile.layout<blocked<[2], lanes [32], warps [4]>>>
  %3 = tile.load %d : !tile.ref<f32, [2048], align 8> -> tensor<2048xf32>
  // CHECK: tensor<1024xf32, #tile.layout<blocked<[1], lanes [32], warps [4]>>>
  %4 = tile.load %e : !tile.ref<f32, [1024]> -> tensor<1024xf32>
  // CHECK: tensor<512xf64, #tile.layout<blocked<[2], lanes [32], warps [4]>>>
  %5 = tile.load %f : !tile.ref<f64, [512], align 32> -> tensor<512xf64>
  tile.return
}

// -----

// One layout for a shape: bf16 and f32 that meet both take the 8 elements of the narrower type.
// CHECK-LABEL: @mixed
// CHECK-COUNT-4: #tile.layout<blocked<[8], lanes [32]>>
tile.kernel @mixed(%a: !tile.ref<bf16, [512], align 16>, %o: !tile.ref<f32, [512], align 16>)
    attributes {threads = 128 : i64, group = 32 : i64} {
  %0 = tile.load %a : !tile.ref<bf16, [512], align 16> -> tensor<512xbf16>
  %1 = tile.cast %0 : tensor<512xbf16> -> tensor<512xf32>
  tile.store %1, %o : tensor<512xf32>, !tile.ref<f32, [512], align 16>
  tile.return
}

// -----

// Small tiles: first all threads get work, then vectors grow.
// CHECK-LABEL: @small
tile.kernel @small(%a: !tile.ref<f32, [64], align 16>, %b: !tile.ref<f32, [16], align 16>, %c: !tile.ref<f32, [96], align 16>,
                   %d: !tile.ref<f32, [4, 6], align 16>, %e: !tile.ref<f32, []>)
    attributes {threads = 128 : i64, group = 32 : i64} {
  // CHECK: tensor<64xf32, #tile.layout<blocked<[2], lanes [32]>>>
  %0 = tile.load %a : !tile.ref<f32, [64], align 16> -> tensor<64xf32>
  // CHECK: tensor<16xf32, #tile.layout<blocked<[1], lanes [16] x2>>>
  %1 = tile.load %b : !tile.ref<f32, [16], align 16> -> tensor<16xf32>
  // 96 = 3 * 32: what is no power of two becomes registers.
  // CHECK: tensor<96xf32, #tile.layout<blocked<[2], lanes [16] x2>>>
  %2 = tile.load %c : !tile.ref<f32, [96], align 16> -> tensor<96xf32>
  // CHECK: tensor<4x6xf32, #tile.layout<blocked<[1, 1], lanes [4, 2] x4>>>
  %3 = tile.load %d : !tile.ref<f32, [4, 6], align 16> -> tensor<4x6xf32>
  // CHECK: tensor<f32, #tile.layout<blocked<[], lanes [] x32>>>
  %4 = tile.load %e : !tile.ref<f32, []> -> tensor<f32>
  tile.return
}

// -----

// What is broadcast has the layout of the result without the new dimensions, whatever its own shape would like.
// CHECK-LABEL: @broadcast
tile.kernel @broadcast(%x: !tile.ref<f32, [8, 128], align 16>, %row: !tile.ref<f32, [128], align 16>, %col: !tile.ref<f32, [8]>,
                       %s: !tile.ref<f32, []>, %o: !tile.ref<f32, [8, 128], align 16>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8, 128], align 16> -> tensor<8x128xf32>
  // CHECK: tile.load {{.*}} -> tensor<128xf32, #tile.layout<blocked<[4], lanes [32], warps [1] x4>>>
  %1 = tile.load %row : !tile.ref<f32, [128], align 16> -> tensor<128xf32>
  // CHECK: tile.load {{.*}} -> tensor<8xf32, #tile.layout<blocked<[1], lanes [1] x32, warps [4]>>>
  %2 = tile.load %col : !tile.ref<f32, [8]> -> tensor<8xf32>
  // CHECK: tile.load {{.*}} -> tensor<f32, #tile.layout<blocked<[], lanes [] x32, warps [] x4>>>
  %3 = tile.load %s : !tile.ref<f32, []> -> tensor<f32>
  // CHECK: tile.broadcast {{.*}} -> tensor<8x128xf32, #tile.layout<blocked<[1, 4], lanes [1, 32], warps [4, 1]>>>
  %4 = tile.broadcast %1 [1] : tensor<128xf32> -> tensor<8x128xf32>
  // Kept dimensions of extent 1 fold.
  // CHECK: tile.broadcast {{.*}} -> tensor<8x1xf32, #tile.layout<blocked<[1, 4], lanes [1, 32], warps [4, 1]>>>
  %5 = tile.broadcast %2 [0] : tensor<8xf32> -> tensor<8x1xf32>
  %6 = tile.broadcast %5 [0, 1] : tensor<8x1xf32> -> tensor<8x128xf32>
  %7 = tile.broadcast %3 [] : tensor<f32> -> tensor<8x128xf32>
  %8 = tile.add %0, %4 : tensor<8x128xf32>
  %9 = tile.add %6, %7 : tensor<8x128xf32>
  %10 = tile.add %8, %9 : tensor<8x128xf32>
  tile.store %10, %o : tensor<8x128xf32>, !tile.ref<f32, [8, 128], align 16>
  tile.return
}

// -----

// A tile that is needed in two layouts is computed twice, each time from its own load.
// CHECK-LABEL: @twice
// CHECK: %[[A:.*]] = tile.load %arg0 {{.*}} -> tensor<32xf32, #tile.layout<blocked<[1], lanes [32], warps [1] x4>>>
// CHECK: %[[B:.*]] = tile.load %arg0 {{.*}} -> tensor<32xf32, #tile.layout<blocked<[1], lanes [1] x32, warps [4]>>>
// CHECK: %[[EA:.*]] = tile.exp %[[A]]
// CHECK: %[[EB:.*]] = tile.exp %[[B]]
// CHECK: tile.broadcast %[[EA]] [1]
// CHECK: tile.broadcast %[[EB]] [0]
tile.kernel @twice(%x: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32, 32]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.exp %0 : tensor<32xf32>
  %2 = tile.broadcast %1 [1] : tensor<32xf32> -> tensor<32x32xf32>
  %3 = tile.broadcast %1 [0] : tensor<32xf32> -> tensor<32x32xf32>
  %4 = tile.add %2, %3 : tensor<32x32xf32>
  tile.store %4, %o : tensor<32x32xf32>, !tile.ref<f32, [32, 32]>
  tile.return
}

// -----

// Control flow carries a tile in one layout, also where only the broadcast after a loop asks for it.
// CHECK-LABEL: @carried
// CHECK: scf.for {{.*}} -> (tensor<32xf32, #tile.layout<blocked<[1], lanes [32], warps [1] x4>>>)
// CHECK: scf.if {{.*}} -> (tensor<32xf32, #tile.layout<blocked<[1], lanes [32], warps [1] x4>>>)
tile.kernel @carried(%x: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32, 32]>, %n: i64, %c: i1)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = scf.for %i = %zero to %n step %one iter_args(%v = %0) -> (tensor<32xf32>) : i64 {
    %2 = tile.add %v, %v : tensor<32xf32>
    scf.yield %2 : tensor<32xf32>
  }
  %3 = scf.if %c -> (tensor<32xf32>) {
    scf.yield %1 : tensor<32xf32>
  } else {
    %4 = tile.neg %1 : tensor<32xf32>
    scf.yield %4 : tensor<32xf32>
  }
  %5 = tile.broadcast %3 [1] : tensor<32xf32> -> tensor<32x32xf32>
  tile.store %5, %o : tensor<32x32xf32>, !tile.ref<f32, [32, 32]>
  tile.return
}

// -----

// What a loop has computed cannot be made twice: the second broadcast takes it in another layout.
// CHECK-LABEL: @relaid
// CHECK: %[[V:.*]] = scf.for
// CHECK: tile.broadcast %[[V]] [1]
// CHECK: %[[OTHER:.*]] = tile.relayout %[[V]]
// CHECK-SAME: -> tensor<32xf32, #tile.layout<blocked<[1], lanes [1] x32, warps [4]>>>
// CHECK: tile.broadcast %[[OTHER]] [0]
tile.kernel @relaid(%x: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32, 32]>, %n: i64)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = scf.for %i = %zero to %n step %one iter_args(%v = %0) -> (tensor<32xf32>) : i64 {
    %2 = tile.add %v, %v : tensor<32xf32>
    scf.yield %2 : tensor<32xf32>
  }
  %3 = tile.broadcast %1 [1] : tensor<32xf32> -> tensor<32x32xf32>
  %4 = tile.broadcast %1 [0] : tensor<32xf32> -> tensor<32x32xf32>
  %5 = tile.add %3, %4 : tensor<32x32xf32>
  tile.store %5, %o : tensor<32x32xf32>, !tile.ref<f32, [32, 32]>
  tile.return
}

// -----

// A reduction leaves its result where the rows were, which is where a broadcast back wants it: nothing moves.
// CHECK-LABEL: @rows
// CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<8x128xf32, #tile.layout<blocked<[1, 4], lanes [1, 32], warps [4, 1]>>>
// CHECK: %[[MAX:.*]] = tile.reduce max %[[X]] [1] {{.*}} -> tensor<8xf32, #tile.layout<blocked<[1], lanes [1] x32, warps [4]>>>
// CHECK-NOT: tile.relayout
// CHECK: tile.broadcast %[[MAX]] [0]
tile.kernel @rows(%x: !tile.ref<f32, [8, 128], align 16>, %o: !tile.ref<f32, [8, 128], align 16>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8, 128], align 16> -> tensor<8x128xf32>
  %1 = tile.reduce max %0 [1] : tensor<8x128xf32> -> tensor<8xf32>
  %2 = tile.broadcast %1 [0] : tensor<8xf32> -> tensor<8x128xf32>
  %3 = tile.sub %0, %2 : tensor<8x128xf32>
  tile.store %3, %o : tensor<8x128xf32>, !tile.ref<f32, [8, 128], align 16>
  tile.return
}

// -----

// Reductions along both dimensions meet in one tile: one of them moves.
// CHECK-LABEL: @both_ways
// CHECK: %[[R:.*]] = tile.reduce sum %{{.*}} [1]
// CHECK: %[[C:.*]] = tile.reduce sum %{{.*}} [0]
// CHECK: %[[MOVED:.*]] = tile.relayout %[[C]]
// CHECK: tile.add %[[R]], %[[MOVED]]
tile.kernel @both_ways(%x: !tile.ref<f32, [32, 32]>, %o: !tile.ref<f32, [32]>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 32]> -> tensor<32x32xf32>
  %1 = tile.reduce sum %0 [1] : tensor<32x32xf32> -> tensor<32xf32>
  %2 = tile.reduce sum %0 [0] : tensor<32x32xf32> -> tensor<32xf32>
  %3 = tile.add %1, %2 : tensor<32xf32>
  tile.store %3, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// -----

// A product has a layout of its own, its factors that of their memory. A permutation follows its source; what is stored
// of it moves first, so that neighbours in memory are neighbouring threads'.
// CHECK-LABEL: @product
// CHECK: tile.load {{.*}} -> tensor<64x16xf32, #tile.layout<blocked<[1, 4], lanes [8, 4], warps [4, 1]>>>
// CHECK: tile.dot {{.*}} -> tensor<64x64xf32, #tile.layout<blocked<[1, 4], lanes [4, 8], warps [4, 1]>>>
// CHECK: tile.permute {{.*}} -> tensor<64x64xf32, #tile.layout<{{.*}}>>
// CHECK: tile.relayout {{.*}} -> tensor<64x64xf32, #tile.layout<blocked<[1, 1], lanes [1, 32], warps [2, 2]>>>
tile.kernel @product(%x: !tile.ref<f32, [64, 16], align 16>, %y: !tile.ref<f32, [16, 64], align 16>, %o: !tile.ref<f32, [64, 64]>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64, 16], align 16> -> tensor<64x16xf32>
  %1 = tile.load %y : !tile.ref<f32, [16, 64], align 16> -> tensor<16x64xf32>
  %2 = tile.dot %0, %1 : tensor<64x16xf32>, tensor<16x64xf32> -> tensor<64x64xf32>
  %3 = tile.permute %2 [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %3, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// -----

// Products on two units that make one sum: what wgmma has in registers stays there, relayouts lead to the other product
// and back.
// CHECK-LABEL: @two_products
// CHECK: %[[SUM:.*]] = tile.wgmma_wait 0({{.*}}) : {{.*}} -> tensor<64x64xf32, #tile.layout<[[WGMMA:.*]]>>{{$}}
// CHECK: %[[IN:.*]] = tile.relayout %[[SUM]] : {{.*}} -> tensor<64x64xf32, #tile.layout<[[FMA:blocked<\[1, 4\], lanes \[4, 8\], warps \[4, 1\]>]]>>
// CHECK: %[[BOTH:.*]] = tile.dot %{{.*}}, %{{.*}} acc %[[IN]] : {{.*}} -> tensor<64x64xf32, #tile.layout<[[FMA]]>>
// CHECK: %[[OUT:.*]] = tile.relayout %[[BOTH]] : {{.*}} -> tensor<64x64xf32, #tile.layout<[[WGMMA]]>>
// CHECK: tile.add %[[OUT]], %[[SUM]] : tensor<64x64xf32, #tile.layout<[[WGMMA]]>>
tile.kernel @two_products(%x: !tile.ref<f32, [64, 16], align 16>, %y: !tile.ref<f32, [16, 64], align 16>, %o: !tile.ref<f32, [64, 64]>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %zero = arith.constant 0.0 : f32
  %m = tile.alloc at 0 : !tile.ref<bf16, [64, 64], smem swizzle 128>
  %0 = tile.full %zero : f32 -> tensor<64x64xf32>
  %1 = tile.wgmma %0, %m, %m : !tile.ref<bf16, [64, 64], smem swizzle 128>, !tile.ref<bf16, [64, 64], smem swizzle 128> -> tensor<64x64xf32>
  %2 = tile.wgmma_wait 0(%1) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = tile.load %x : !tile.ref<f32, [64, 16], align 16> -> tensor<64x16xf32>
  %4 = tile.load %y : !tile.ref<f32, [16, 64], align 16> -> tensor<16x64xf32>
  %5 = tile.dot %3, %4 acc %2 : tensor<64x64xf32>, : tensor<64x16xf32>, tensor<16x64xf32> -> tensor<64x64xf32>
  %6 = tile.add %5, %2 : tensor<64x64xf32>
  tile.store %6, %o : tensor<64x64xf32>, !tile.ref<f32, [64, 64]>
  tile.return
}

// -----

// A mask, and what stands where it is false, lie as the value does: nothing is exchanged.
// CHECK-LABEL: @masks
// CHECK: tile.iota 1 : tensor<4x256xi32, [[LAYOUT:#.*]]>
// CHECK: tile.lt {{.*}} -> tensor<4x256xi1, [[LAYOUT]]>
// CHECK: tile.full {{.*}} -> tensor<4x256xf16, [[LAYOUT]]>
// CHECK: tile.load {{.*}} -> tensor<4x256xf16, [[LAYOUT]]>
// CHECK-NOT: tile.relayout
// CHECK: tile.store
tile.kernel @masks(%x: !tile.ref<f16, [4, 256], align 16>, %o: !tile.ref<f16, [4, 256]>, %n: i32, %f: f16)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.iota 1 : tensor<4x256xi32>
  %1 = tile.full %n : i32 -> tensor<4x256xi32>
  %2 = tile.lt %0, %1 : tensor<4x256xi32> -> tensor<4x256xi1>
  %3 = tile.full %f : f16 -> tensor<4x256xf16>
  %4 = tile.load %x mask %2 : tensor<4x256xi1> other %3 : tensor<4x256xf16> : !tile.ref<f16, [4, 256], align 16> -> tensor<4x256xf16>
  %5 = tile.ge %0, %1 : tensor<4x256xi32> -> tensor<4x256xi1>
  tile.store %4, %o mask %5 : tensor<4x256xi1> : tensor<4x256xf16>, !tile.ref<f16, [4, 256]>
  tile.return
}

// -----

// Layouts that types have already stay, and what meets such a tile takes its layout.
// CHECK-LABEL: @known
// CHECK: tile.load {{.*}} -> tensor<64xf32, #tile.layout<blocked<[1], lanes [32]>>>
// CHECK: tile.relayout {{.*}} -> tensor<64xf32, #tile.layout<blocked<[2], lanes [32]>>>
// CHECK: tile.mul {{.*}} : tensor<64xf32, #tile.layout<blocked<[2], lanes [32]>>>
tile.kernel @known(%x: !tile.ref<f32, [64], align 16>, %y: !tile.ref<f32, [64], align 16>, %o: !tile.ref<f32, [64], align 16>)
    attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64], align 16> -> tensor<64xf32, #tile.layout<blocked<[1], lanes [32]>>>
  %1 = tile.relayout %0 : tensor<64xf32, #tile.layout<blocked<[1], lanes [32]>>> -> tensor<64xf32, #tile.layout<blocked<[2], lanes [32]>>>
  %2 = tile.mul %1, %1 : tensor<64xf32, #tile.layout<blocked<[2], lanes [32]>>>
  tile.store %2, %o : tensor<64xf32, #tile.layout<blocked<[2], lanes [32]>>>, !tile.ref<f32, [64], align 16>
  tile.return
}
