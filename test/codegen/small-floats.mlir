// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and sums of small floats at once: rounded once on all chips, by bits where bf16 has no such instruction.
// RUN: tegulac --arch sm_80 --emit ptx %s | FileCheck %s
// RUN: tegulac --arch sm_75 --emit ptx %s | FileCheck %s --check-prefix=TURING
// RUN: tegulac --arch sm_75 --emit resources %s | FileCheck %s --check-prefix=CUBIN
// CUBIN-COUNT-2: {{^}}sm_75 {{.*}}: registers

#row = #tile.layout<blocked<[8], lanes [32]>>

// CHECK-LABEL: .entry fused_bf16(
// CHECK-COUNT-4: fma.rn.bf16x2
// CHECK: max.bf16x2
// TURING-LABEL: .entry fused_bf16(
// TURING-NOT: fma.rn.f32
// TURING-NOT: max.bf16
// TURING: fma.rz.f32
// TURING: fma.rm.f32
// TURING: fma.rp.f32
// TURING: ret;
tile.kernel @fused_bf16(%x: !tile.ref<bf16, [256], align 16>, %y: !tile.ref<bf16, [256], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [256], align 16> -> tensor<256xbf16, #row>
  %1 = tile.load %y : !tile.ref<bf16, [256], align 16> -> tensor<256xbf16, #row>
  %2 = tile.fma %0, %1, %0 : tensor<256xbf16, #row>
  %3 = tile.fmax %2, %1 : tensor<256xbf16, #row>
  tile.store %3, %x : tensor<256xbf16, #row>, !tile.ref<bf16, [256], align 16>
  tile.return
}

// CHECK-LABEL: .entry fused_f16(
// CHECK-COUNT-4: fma.rn.f16x2
// TURING-LABEL: .entry fused_f16(
// TURING-COUNT-4: fma.rn.f16x2
tile.kernel @fused_f16(%x: !tile.ref<f16, [256], align 16>, %y: !tile.ref<f16, [256], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f16, [256], align 16> -> tensor<256xf16, #row>
  %1 = tile.load %y : !tile.ref<f16, [256], align 16> -> tensor<256xf16, #row>
  %2 = tile.fma %0, %1, %0 : tensor<256xf16, #row>
  tile.store %2, %x : tensor<256xf16, #row>, !tile.ref<f16, [256], align 16>
  tile.return
}
