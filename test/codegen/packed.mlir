// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 4 bits: an access moves bytes, which are taken apart and put together in registers.
// RUN: tegulac --arch sm_80 --emit ptx %s | FileCheck %s
// RUN: tegulac --arch sm_80 --emit cubin %s -o %t.cubin

// 16 of a row, in 8 bytes; those of s4 get their signs.
// CHECK-LABEL: .entry wide(
// CHECK: ld.global.nc.v2.{{[ub]}}32
// CHECK: and.b32 {{.*}}, 252645135
// CHECK: prmt.b32
// CHECK: mad.lo.s32 {{.*}}, 30
// CHECK: st.global.v4.b32
// CHECK: ret
tile.kernel @wide(%x: !tile.ref<!tile.stored<s4>, [512], align 16>, %o: !tile.ref<i8, [512], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<!tile.stored<s4>, [512], align 16> -> tensor<512x!tile.stored<s4>>
  %1 = tile.cast %0 : tensor<512x!tile.stored<s4>> -> tensor<512xi8>
  tile.store %1, %o : tensor<512xi8>, !tile.ref<i8, [512], align 16>
  tile.return
}

// A byte has two of them, though nothing is promised but that rows begin with bytes: no thread has half of one.
// CHECK-LABEL: .entry bytes(
// CHECK-NOT: red.
// CHECK: st.global.u8
// CHECK-NOT: red.
// CHECK: ret
tile.kernel @bytes(%x: !tile.ref<!tile.stored<u4>, [64], align 1>, %o: !tile.ref<!tile.stored<u4>, [64], align 1>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<!tile.stored<u4>, [64], align 1> -> tensor<64x!tile.stored<u4>>
  tile.store %0, %o : tensor<64x!tile.stored<u4>>, !tile.ref<!tile.stored<u4>, [64], align 1>
  tile.return
}

// A row of odd length ends with half a byte, and the other half stays as it is.
// CHECK-LABEL: .entry ends(
// CHECK: @%p{{[0-9]+}} st.global.v2.b32
// CHECK: @%p{{[0-9]+}} st.global.b8
// CHECK: @[[ODD:%p[0-9]+]] red.relaxed.gpu.global.and.b32 [[[AT:%rd[0-9]+]]], %r{{[0-9]+}}; @[[ODD]] red.relaxed.gpu.global.or.b32 [[[AT]]],
// CHECK: ret
tile.kernel @ends(%x: !tile.ref<!tile.stored<u4>, [512?], align 8>, %o: !tile.ref<!tile.stored<u4>, [512?], align 8>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<!tile.stored<u4>, [512?], align 8> -> tensor<512x!tile.stored<u4>>
  tile.store %0, %o : tensor<512x!tile.stored<u4>>, !tile.ref<!tile.stored<u4>, [512?], align 8>
  tile.return
}

// A window of which nothing is known begins with either half.
// CHECK-LABEL: .entry halves(
// CHECK: ld.global.nc.u8
// CHECK: shr.u16
// CHECK: ret
tile.kernel @halves(%x: !tile.ref<!tile.stored<u4>, [?], align 1>, %start: i64, %o: !tile.ref<i8, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %w = tile.slice %x[window %start] {in_bounds} : !tile.ref<!tile.stored<u4>, [?], align 1> -> !tile.ref<!tile.stored<u4>, [32]>
  %0 = tile.load %w : !tile.ref<!tile.stored<u4>, [32]> -> tensor<32x!tile.stored<u4>>
  %1 = tile.cast %0 : tensor<32x!tile.stored<u4>> -> tensor<32xi8>
  tile.store %1, %o : tensor<32xi8>, !tile.ref<i8, [32]>
  tile.return
}
