// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions round once; those to integers saturate, and NaN gives 0.
// RUN: tegulac --arch sm_90a --emit ptx %s | FileCheck %s
// RUN: tegulac --arch sm_80 --emit ptx %s | FileCheck %s --check-prefix=SM80

// CHECK-LABEL: .entry f32_s32(
// CHECK: cvt.rzi.s32.f32
// CHECK-NOT: selp
// CHECK: ret
tile.kernel @f32_s32(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<i32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.cast %0 : tensor<32xf32> -> tensor<32xi32>
  tile.store %z, %o : tensor<32xi32>, !tile.ref<i32, [32]>
  tile.return
}

// CHECK-LABEL: .entry f32_u8(
// CHECK: cvt.rzi.u32.f32
// CHECK: min.u32
// CHECK: ret
tile.kernel @f32_u8(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<ui8, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.cast %0 : tensor<32xf32> -> tensor<32xui8>
  tile.store %z, %o : tensor<32xui8>, !tile.ref<ui8, [32]>
  tile.return
}

// CHECK-LABEL: .entry f32_s16(
// CHECK: cvt.rzi.s32.f32
// CHECK: max.s32
// CHECK: min.s32
// CHECK: ret
tile.kernel @f32_s16(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<i16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.cast %0 : tensor<32xf32> -> tensor<32xi16>
  tile.store %z, %o : tensor<32xi16>, !tile.ref<i16, [32]>
  tile.return
}

// CHECK-LABEL: .entry f64_s64(
// CHECK: cvt.rzi.s64.f64
// CHECK: setp
// CHECK: selp.b64
// CHECK: ret
tile.kernel @f64_s64(%a0: !tile.ref<f64, [32]>, %o: !tile.ref<i64, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %z = tile.cast %0 : tensor<32xf64> -> tensor<32xi64>
  tile.store %z, %o : tensor<32xi64>, !tile.ref<i64, [32]>
  tile.return
}

// CHECK-LABEL: .entry s64_f32(
// CHECK: cvt.rn.f32.s64
// CHECK: ret
tile.kernel @s64_f32(%a0: !tile.ref<i64, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<i64, [32]> -> tensor<32xi64>
  %z = tile.cast %0 : tensor<32xi64> -> tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// Two roundings to nearest would be wrong: the first one cuts off, and marks that it did.
// CHECK-LABEL: .entry s64_bf16(
// CHECK: cvt.rz.f32.s64
// CHECK: cvt.rzi.s64.f32
// CHECK: setp
// CHECK: or.b32
// CHECK: cvt.rn.bf16.f32
// CHECK: ret
tile.kernel @s64_bf16(%a0: !tile.ref<i64, [32]>, %o: !tile.ref<bf16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<i64, [32]> -> tensor<32xi64>
  %z = tile.cast %0 : tensor<32xi64> -> tensor<32xbf16>
  tile.store %z, %o : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}

// CHECK-LABEL: .entry f64_bf16(
// CHECK: cvt.rz.f32.f64
// CHECK: cvt.f64.f32
// CHECK: setp
// CHECK: or.b32
// CHECK: cvt.rn.bf16.f32
// CHECK: ret
tile.kernel @f64_bf16(%a0: !tile.ref<f64, [32]>, %o: !tile.ref<bf16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %z = tile.cast %0 : tensor<32xf64> -> tensor<32xbf16>
  tile.store %z, %o : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}

// CHECK-LABEL: .entry f64_f16(
// CHECK: cvt.rn.f16.f64
// CHECK: ret
tile.kernel @f64_f16(%a0: !tile.ref<f64, [32]>, %o: !tile.ref<f16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %z = tile.cast %0 : tensor<32xf64> -> tensor<32xf16>
  tile.store %z, %o : tensor<32xf16>, !tile.ref<f16, [32]>
  tile.return
}

// CHECK-LABEL: .entry f16_bf16(
// CHECK: cvt.f32.f16
// CHECK: cvt.rn.bf16.f32
// CHECK: ret
tile.kernel @f16_bf16(%a0: !tile.ref<f16, [32]>, %o: !tile.ref<bf16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f16, [32]> -> tensor<32xf16>
  %z = tile.cast %0 : tensor<32xf16> -> tensor<32xbf16>
  tile.store %z, %o : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}

// CHECK-LABEL: .entry f32_bool(
// CHECK: {{setp.neu.f32|setp.equ.f32|setp.eq.f32}}
// CHECK: ret
tile.kernel @f32_bool(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<i1, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.cast %0 : tensor<32xf32> -> tensor<32xi1>
  tile.store %z, %o : tensor<32xi1>, !tile.ref<i1, [32]>
  tile.return
}

// 8-bit floats, two at a time: an instruction from sm_90a on, arithmetic before.
// CHECK-LABEL: .entry e4m3_f32(
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK-NOT: cvt.rn.f16x2.e4m3x2
// CHECK-COUNT-2: cvt.f32.f16
// CHECK: ret
// SM80-LABEL: .entry e4m3_f32(
// SM80-NOT: e4m3x2
// SM80: mul{{.*}}.f16x2
// SM80: ret
tile.kernel @e4m3_f32(%a0: !tile.ref<f8E4M3FN, [64], align 2>, %o: !tile.ref<f32, [64], align 8>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f8E4M3FN, [64], align 2> -> tensor<64xf8E4M3FN>
  %z = tile.cast %0 : tensor<64xf8E4M3FN> -> tensor<64xf32>
  tile.store %z, %o : tensor<64xf32>, !tile.ref<f32, [64], align 8>
  tile.return
}

// What f32 does not hold is odd in it: one rounding.
// CHECK-LABEL: .entry f64_e5m2(
// CHECK: cvt.rz.f32.f64
// CHECK: cvt.rn.satfinite.e5m2x2.f32
// CHECK: ret
// SM80-LABEL: .entry f64_e5m2(
// SM80-NOT: e5m2x2
// SM80: ret
tile.kernel @f64_e5m2(%a0: !tile.ref<f64, [32]>, %o: !tile.ref<f8E5M2, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %z = tile.cast %0 : tensor<32xf64> -> tensor<32xf8E5M2>
  tile.store %z, %o : tensor<32xf8E5M2>, !tile.ref<f8E5M2, [32]>
  tile.return
}

// An exponent of 8 bits is that of an f32; its ends are subnormal and NaN.
// CHECK-LABEL: .entry e8m0_f32(
// CHECK: shl.b32
// CHECK: or.b32
// CHECK: ret
tile.kernel @e8m0_f32(%a0: !tile.ref<!tile.stored<e8m0>, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<!tile.stored<e8m0>, [32]> -> tensor<32x!tile.stored<e8m0>>
  %z = tile.cast %0 : tensor<32x!tile.stored<e8m0>> -> tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry f64_e8m0(
// CHECK: cvt.rz.f32.f64
// CHECK-NOT: cvt.rn
// CHECK: ret
tile.kernel @f64_e8m0(%a0: !tile.ref<f64, [32]>, %o: !tile.ref<!tile.stored<e8m0>, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %z = tile.cast %0 : tensor<32xf64> -> tensor<32x!tile.stored<e8m0>>
  tile.store %z, %o : tensor<32x!tile.stored<e8m0>>, !tile.ref<!tile.stored<e8m0>, [32]>
  tile.return
}

// Floats of 4 bits are exact in f16, 2^14 times the number that their bits make there.
// CHECK-LABEL: .entry e2m1_f16(
// CHECK: shl.b
// CHECK: mul{{.*}}f16
// CHECK: ret
tile.kernel @e2m1_f16(%a0: !tile.ref<!tile.stored<e2m1>, [64]>, %o: !tile.ref<f16, [64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<!tile.stored<e2m1>, [64]> -> tensor<64x!tile.stored<e2m1>>
  %z = tile.cast %0 : tensor<64x!tile.stored<e2m1>> -> tensor<64xf16>
  tile.store %z, %o : tensor<64xf16>, !tile.ref<f16, [64]>
  tile.return
}

// CHECK-LABEL: .entry f64_e2m1(
// CHECK: cvt.rz.f32.f64
// CHECK: min.u32 {{.*}}, 7
// CHECK: ret
tile.kernel @f64_e2m1(%a0: !tile.ref<f64, [64]>, %o: !tile.ref<!tile.stored<e2m1>, [64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [64]> -> tensor<64xf64>
  %z = tile.cast %0 : tensor<64xf64> -> tensor<64x!tile.stored<e2m1>>
  tile.store %z, %o : tensor<64x!tile.stored<e2m1>>, !tile.ref<!tile.stored<e2m1>, [64]>
  tile.return
}

// CHECK-LABEL: .entry f32_s4(
// CHECK: cvt.rzi.s32.f32
// CHECK: max.s32 {{.*}}, -8
// CHECK: min.s32 {{.*}}, 7
// CHECK: ret
tile.kernel @f32_s4(%a0: !tile.ref<f32, [64]>, %o: !tile.ref<!tile.stored<s4>, [64]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [64]> -> tensor<64xf32>
  %z = tile.cast %0 : tensor<64xf32> -> tensor<64x!tile.stored<s4>>
  tile.store %z, %o : tensor<64x!tile.stored<s4>>, !tile.ref<!tile.stored<s4>, [64]>
  tile.return
}
