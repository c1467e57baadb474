// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas compiles to something else is written in other instructions: negations, which it loses on their way into
// the inner one of two maxima, and makes in 32 bits where there are 16; packed additions of which one half is used.
// RUN: tegulac --arch sm_90a --emit ptx %s | FileCheck %s

// CHECK-LABEL: .entry neg_s16(
// CHECK-NOT: neg.
// CHECK: not.b16 [[X:%rs[0-9]+]], %rs{{[0-9]+}};
// CHECK-NEXT: add.s16 [[X]], [[X]], 1;
// CHECK-NOT: neg.
// CHECK: ret
tile.kernel @neg_s16(%x: !tile.ref<i16, [32]>, %o: !tile.ref<i16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i16, [32]> -> tensor<32xi16>
  %1 = tile.neg %0 : tensor<32xi16>
  tile.store %1, %o : tensor<32xi16>, !tile.ref<i16, [32]>
  tile.return
}

// The absolute value is a maximum, and the negation in it is inside of another.
// CHECK-LABEL: .entry abs_s32(
// CHECK-NOT: {{neg|abs}}.
// CHECK: not.b32 [[X:%r[0-9]+]], [[A:%r[0-9]+]];
// CHECK-NEXT: add.s32 [[X]], [[X]], 1;
// CHECK: max.s32 [[B:%r[0-9]+]], [[A]], [[X]];
// CHECK: max.s32 %r{{[0-9]+}}, [[B]],
// CHECK: ret
tile.kernel @abs_s32(%x: !tile.ref<i32, [32]>, %y: !tile.ref<i32, [32]>, %o: !tile.ref<i32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i32, [32]> -> tensor<32xi32>
  %1 = tile.load %y : !tile.ref<i32, [32]> -> tensor<32xi32>
  %2 = tile.abs %0 : tensor<32xi32>
  %3 = tile.maximum %2, %1 : tensor<32xi32>
  tile.store %3, %o : tensor<32xi32>, !tile.ref<i32, [32]>
  tile.return
}

// LLVM makes a negation of this product.
// CHECK-LABEL: .entry product_s32(
// CHECK-NOT: neg.
// CHECK: not.b32
// CHECK-NOT: neg.
// CHECK: ret
tile.kernel @product_s32(%x: !tile.ref<i32, [32]>, %o: !tile.ref<i32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i32, [32]> -> tensor<32xi32>
  %c = arith.constant -4 : i32
  %1 = tile.full %c : i32 -> tensor<32xi32>
  %2 = tile.mul %0, %1 : tensor<32xi32>
  tile.store %2, %o : tensor<32xi32>, !tile.ref<i32, [32]>
  tile.return
}

// CHECK-LABEL: .entry neg_s64(
// CHECK: neg.s64
// CHECK: ret
tile.kernel @neg_s64(%x: !tile.ref<i64, [32]>, %o: !tile.ref<i64, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i64, [32]> -> tensor<32xi64>
  %1 = tile.neg %0 : tensor<32xi64>
  tile.store %1, %o : tensor<32xi64>, !tile.ref<i64, [32]>
  tile.return
}

// CHECK-LABEL: .entry add_s16(
// CHECK-NOT: add.s16x2
// CHECK: mov.b32 {%a0, %a1}, %r{{[0-9]+}}; mov.b32 {%a2, %a3}, %r{{[0-9]+}}; add.s16 %a0, %a0, %a2; add.s16 %a1, %a1, %a3; mov.b32 %r{{[0-9]+}}, {%a0, %a1};
// CHECK-NOT: add.s16x2
// CHECK: ret
#pairs = #tile.layout<blocked<[2], lanes [32]>>
tile.kernel @add_s16(%x: !tile.ref<i16, [64], align 16>, %o: !tile.ref<i16, [64], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i16, [64], align 16> -> tensor<64xi16, #pairs>
  %c = arith.constant 5 : i16
  %1 = tile.full %c : i16 -> tensor<64xi16, #pairs>
  %2 = tile.add %0, %1 : tensor<64xi16, #pairs>
  tile.store %2, %o : tensor<64xi16, #pairs>, !tile.ref<i16, [64], align 16>
  tile.return
}
