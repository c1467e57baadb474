// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses that reach PTX: as wide as proved, invariant where nothing is stored, predicated at edges.
// RUN: tegulac --arch sm_90a --emit ptx %s | FileCheck %s
// RUN: tegulac --emit resources --arch sm_90a --arch sm_80 %s -o %t
// RUN: FileCheck %s --check-prefix=RESOURCES -DTARGET=sm_90a --input-file=%t
// RUN: FileCheck %s --check-prefix=RESOURCES -DTARGET=sm_80 --input-file=%t

// RESOURCES-DAG: {{^}}[[TARGET]] exact: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES-DAG: {{^}}[[TARGET]] edge: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES-DAG: {{^}}[[TARGET]] strided: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES-DAG: {{^}}[[TARGET]] bytes: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES-DAG: {{^}}[[TARGET]] pairs_of_bytes: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES-DAG: {{^}}[[TARGET]] halves: registers {{[0-9]+}}, stack 0, spills 0

// One base a thread, constant displacements.
// CHECK-LABEL: .entry exact(
// CHECK: .reqntid 128, 1, 1
// CHECK-NOT: .local
// CHECK: ld.global.nc.v4.f32 {{.*}}, [%[[X:rd[0-9]+]]];
// CHECK: ld.global.nc.v4.f32 {{.*}}, [%[[X]]+2048];
// CHECK: ld.global.nc.v4.f32 {{.*}}, [%[[Y:rd[0-9]+]]];
// CHECK: ld.global.nc.v4.f32 {{.*}}, [%[[Y]]+2048];
// CHECK-COUNT-8: add.rn.f32
// CHECK: st.global.v4.f32 [%[[O:rd[0-9]+]]],
// CHECK: st.global.v4.f32 [%[[O]]+2048],
// CHECK-NOT: bra
// CHECK: ret
tile.kernel @exact(%x: !tile.ref<f32, [1024], align 16>, %y: !tile.ref<f32, [1024], align 16>, %o: !tile.ref<f32, [1024], align 16>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [1024], align 16> -> tensor<1024xf32>
  %1 = tile.load %y : !tile.ref<f32, [1024], align 16> -> tensor<1024xf32>
  %2 = tile.add %0, %1 : tensor<1024xf32>
  tile.store %2, %o : tensor<1024xf32>, !tile.ref<f32, [1024], align 16>
  tile.return
}

// Whole vectors under a predicate, and once the elements of the vector that the end cuts. No load waits for a branch.
// CHECK-LABEL: .entry edge(
// CHECK-NOT: bra
// CHECK: @%p{{[0-9]+}} ld.global.nc.v4.b32
// CHECK: @%p{{[0-9]+}} ld.global.nc.v4.b32
// CHECK: @%p{{[0-9]+}} ld.global.nc.b32
// CHECK: @%p{{[0-9]+}} ld.global.nc.b32
// CHECK: @%p{{[0-9]+}} ld.global.nc.b32
// CHECK-NOT: ld.global
// CHECK: @%p{{[0-9]+}} st.global.v4.b32
// CHECK: @%p{{[0-9]+}} st.global.v4.b32
// CHECK: bra
// CHECK-COUNT-3: st.global.b32
// CHECK-NOT: st.global
// CHECK: ret
tile.kernel @edge(%x: !tile.ref<f32, [1024?], align 16>, %o: !tile.ref<f32, [1024?], align 16>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [1024?], align 16> -> tensor<1024xf32>
  tile.store %0, %o : tensor<1024xf32>, !tile.ref<f32, [1024?], align 16>
  tile.return
}

// A row of whole vectors, masked for a sum: a comparison for each vector, which has been summed before. Where the row
// is as long as the tile, it is loaded without predicates, and nothing is zeroed for what they leave out.
// CHECK-LABEL: .entry even_row(
// CHECK: setp.{{[lg][et]}}.s64 %[[SHORT:p[0-9]+]], %rd{{[0-9]+}}, 25{{[56]}}
// CHECK: @%[[SHORT]] bra
// CHECK-NOT: mov.b32 {{.*}}, 0;
// CHECK-COUNT-2: ld.global.nc.v4.f32
// CHECK-COUNT-2: mov.b32 {{.*}}, 0; @%p{{[0-9]+}} ld.global.nc.v4.b32
// CHECK-COUNT-2: setp
// CHECK-NOT: setp
// CHECK: add.rn.f32
// CHECK: add.rn.f32
// CHECK: add.rn.f32
// CHECK: selp.f32
// CHECK: selp.f32
// CHECK-NOT: selp
// CHECK: shfl
tile.kernel @even_row(%x: !tile.ref<f32, [?], align 16 even>, %o: !tile.ref<f32, []>)
    attributes {threads = 32 : i64, group = 32 : i64} {
  %c0 = arith.constant 0 : i64
  %w = tile.slice %x[window %c0] : !tile.ref<f32, [?], align 16 even> -> !tile.ref<f32, [256?], align 16 even>
  %0 = tile.load %w : !tile.ref<f32, [256?], align 16 even> -> tensor<256xf32>
  %n = tile.dim %x, 0 : !tile.ref<f32, [?], align 16 even>
  %1 = tile.reduce sum %0 [0] extents(%n) : tensor<256xf32> -> tensor<f32>
  tile.store %1, %o : tensor<f32>, !tile.ref<f32, []>
  tile.return
}

// Nothing is known of the strides: element by element, neighbours by neighbouring threads.
// CHECK-LABEL: .entry strided(
// CHECK-NOT: .v{{[248]}}
// CHECK-COUNT-4: ld.global.nc.f32
// CHECK-NOT: ld.global
// CHECK: ret
tile.kernel @strided(%x: !tile.ref<f32, [512]>, %o: !tile.ref<f32, [512]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [512]> -> tensor<512xf32>
  tile.store %0, %o : tensor<512xf32>, !tile.ref<f32, [512]>
  tile.return
}

// CHECK-LABEL: .entry bytes(
// CHECK: ld.global.nc.v4.u32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
// CHECK: ret
tile.kernel @bytes(%x: !tile.ref<ui8, [2048], align 16>, %o: !tile.ref<ui8, [2048], align 16>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<ui8, [2048], align 16> -> tensor<2048xui8>
  %1 = tile.add %0, %0 : tensor<2048xui8>
  tile.store %1, %o : tensor<2048xui8>, !tile.ref<ui8, [2048], align 16>
  tile.return
}

// CHECK-LABEL: .entry pairs_of_bytes(
// CHECK-NOT: .local
// CHECK: ret
tile.kernel @pairs_of_bytes(%x: !tile.ref<ui8, [256?], align 16>, %o: !tile.ref<i1, [256?], align 16>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<ui8, [256?], align 16> -> tensor<256xui8>
  %1 = tile.mul %0, %0 : tensor<256xui8>
  %2 = tile.lt %0, %1 : tensor<256xui8> -> tensor<256xi1>
  tile.store %2, %o : tensor<256xi1>, !tile.ref<i1, [256?], align 16>
  tile.return
}

// CHECK-LABEL: .entry halves(
// CHECK: ld.global.nc.v4.{{[bu]}}32
// CHECK-NOT: ld.global
// CHECK-COUNT-4: add.rn.f16x2
// CHECK: st.global.v4.b32
// CHECK: ret
tile.kernel @halves(%x: !tile.ref<f16, [1024], align 16>, %o: !tile.ref<f16, [1024], align 16>)
    attributes {threads = 128 : i64, group = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f16, [1024], align 16> -> tensor<1024xf16>
  %1 = tile.add %0, %0 : tensor<1024xf16>
  tile.store %1, %o : tensor<1024xf16>, !tile.ref<f16, [1024], align 16>
  tile.return
}
