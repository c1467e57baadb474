// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The greatest and the least of small floats: hardware compares them in pairs from sm_80 on, and in f32 before.
// RUN: tegulac --arch sm_80 --emit ptx %s | FileCheck %s
// RUN: tegulac --arch sm_75 --emit ptx %s | FileCheck %s --check-prefix=TURING
// RUN: tegulac --arch sm_75 --emit resources %s | FileCheck %s --check-prefix=CUBIN
// CUBIN-COUNT-4: {{^}}sm_75 {{.*}}: registers

#row = #tile.layout<blocked<[8], lanes [32]>>
#one = #tile.layout<blocked<[], lanes [] x32>>

// CHECK-LABEL: .entry rows_bf16(
// CHECK-COUNT-3: max.NaN.bf16x2
// CHECK: max.NaN.bf16
// CHECK-NOT: .bf16
// CHECK-COUNT-5: shfl.sync.bfly
// CHECK: ret;
// TURING-LABEL: .entry rows_bf16(
// TURING-NOT: {{(max|min).*bf16}}
// TURING: ret;
tile.kernel @rows_bf16(%x: !tile.ref<bf16, [256], align 16>, %o: !tile.ref<bf16, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [256], align 16> -> tensor<256xbf16, #row>
  %1 = tile.reduce max %0 [0] : tensor<256xbf16, #row> -> tensor<bf16, #one>
  tile.store %1, %o : tensor<bf16, #one>, !tile.ref<bf16, []>
  tile.return
}

// CHECK-LABEL: .entry rows_f16(
// CHECK-COUNT-3: min.NaN.f16x2
// CHECK: ret;
// TURING-LABEL: .entry rows_f16(
// TURING: ret;
tile.kernel @rows_f16(%x: !tile.ref<f16, [256], align 16>, %o: !tile.ref<f16, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f16, [256], align 16> -> tensor<256xf16, #row>
  %1 = tile.reduce min %0 [0] : tensor<256xf16, #row> -> tensor<f16, #one>
  tile.store %1, %o : tensor<f16, #one>, !tile.ref<f16, []>
  tile.return
}

// Element by element.
// CHECK-LABEL: .entry pairs(
// CHECK-COUNT-4: max.NaN.bf16x2
// CHECK-COUNT-4: min.NaN.bf16x2
// CHECK-NOT: bf16x2
// CHECK: ret;
// TURING-LABEL: .entry pairs(
// TURING-NOT: {{(max|min).*bf16}}
// TURING: ret;
tile.kernel @pairs(%x: !tile.ref<bf16, [256], align 16>, %y: !tile.ref<bf16, [256], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [256], align 16> -> tensor<256xbf16, #row>
  %1 = tile.load %y : !tile.ref<bf16, [256], align 16> -> tensor<256xbf16, #row>
  %2 = tile.maximum %0, %1 : tensor<256xbf16, #row>
  tile.store %2, %x : tensor<256xbf16, #row>, !tile.ref<bf16, [256], align 16>
  %3 = tile.minimum %0, %1 : tensor<256xbf16, #row>
  tile.store %3, %y : tensor<256xbf16, #row>, !tile.ref<bf16, [256], align 16>
  tile.return
}

// LLVM sees that what is rounded in the end need not have been widened.
// CHECK-LABEL: .entry widened(
// CHECK: max.NaN.bf16
// CHECK: ret;
// TURING-LABEL: .entry widened(
// TURING: max.f32
// TURING-NOT: {{(max|min).*bf16}}
// TURING: ret;
tile.kernel @widened(%x: !tile.ref<bf16, [32]>, %y: !tile.ref<bf16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [32]> -> tensor<32xbf16>
  %1 = tile.load %y : !tile.ref<bf16, [32]> -> tensor<32xbf16>
  %2 = tile.cast %0 : tensor<32xbf16> -> tensor<32xf32>
  %3 = tile.cast %1 : tensor<32xbf16> -> tensor<32xf32>
  %4 = tile.maximum %2, %3 : tensor<32xf32>
  %5 = tile.cast %4 : tensor<32xf32> -> tensor<32xbf16>
  tile.store %5, %x : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}
