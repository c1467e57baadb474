// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of exactly rounded arithmetic: nothing is fused, flushed to zero or approximated.
// RUN: tegulac --arch sm_90a --emit ptx --lineinfo %s | FileCheck %s
// RUN: tegulac --arch sm_80 --emit ptx %s | FileCheck %s --check-prefix=AMPERE

// AMPERE-LABEL: .entry maximum(
// AMPERE: max.NaN.f32
// AMPERE-LABEL: .entry add_bf16(
// AMPERE: add.rn.f32
// AMPERE: cvt.rn.bf16.f32

// CHECK-LABEL: .entry no_fma(
// CHECK: .loc
// CHECK-NOT: fma.
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: ret
tile.kernel @no_fma(%a0: !tile.ref<f32, [32]>, %a1: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.load %a1 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %2 = tile.mul %0, %1 : tensor<32xf32>
  %z = tile.add %2, %0 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry no_fma_f64(
// CHECK: mul.rn.f64
// CHECK: ret
tile.kernel @no_fma_f64(%a0: !tile.ref<f64, [32]>, %a1: !tile.ref<f64, [32]>, %o: !tile.ref<f64, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %1 = tile.load %a1 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %z = tile.mul %0, %1 : tensor<32xf64>
  tile.store %z, %o : tensor<32xf64>, !tile.ref<f64, [32]>
  tile.return
}

// CHECK-LABEL: .entry div(
// CHECK: div.rn.f32
// CHECK: ret
tile.kernel @div(%a0: !tile.ref<f32, [32]>, %a1: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.load %a1 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.div %0, %1 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// Many by one: their reciprocal once, in f32, and in f64 where one is out of range. Neither calls a function.
// CHECK-LABEL: .entry div_row(
// CHECK-NOT: .local
// CHECK: rcp.approx.ftz.f32
// CHECK-NOT: rcp.approx
// CHECK: rcp.approx.ftz.f64
// CHECK-NOT: {{rcp.approx|div.rn}}
// CHECK-COUNT-8: cvt.rn.f32.f64
// CHECK-NOT: {{rcp.approx|div.rn}}
// CHECK: ret
#row = #tile.layout<blocked<[8], lanes [32]>>
tile.kernel @div_row(%a0: !tile.ref<f32, [256], align 16>, %a1: f32) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [256], align 16> -> tensor<256xf32, #row>
  %1 = tile.full %a1 : f32 -> tensor<256xf32, #row>
  %z = tile.div %0, %1 : tensor<256xf32, #row>
  tile.store %z, %a0 : tensor<256xf32, #row>, !tile.ref<f32, [256], align 16>
  tile.return
}

// CHECK-LABEL: .entry sqrt(
// CHECK: sqrt.rn.f32
// CHECK: ret
tile.kernel @sqrt(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.sqrt %0 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry sqrt_f64(
// CHECK: sqrt.rn.f64
// CHECK: ret
tile.kernel @sqrt_f64(%a0: !tile.ref<f64, [32]>, %o: !tile.ref<f64, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f64, [32]> -> tensor<32xf64>
  %z = tile.sqrt %0 : tensor<32xf64>
  tile.store %z, %o : tensor<32xf64>, !tile.ref<f64, [32]>
  tile.return
}

// CHECK-LABEL: .entry rsqrt(
// CHECK: rsqrt.approx.f32
// CHECK: ret
tile.kernel @rsqrt(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.rsqrt %0 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry maximum(
// CHECK: max.NaN.f32
// CHECK: ret
tile.kernel @maximum(%a0: !tile.ref<f32, [32]>, %a1: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.load %a1 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.maximum %0, %1 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry minimum(
// CHECK: min.NaN.f32
// CHECK: ret
tile.kernel @minimum(%a0: !tile.ref<f32, [32]>, %a1: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.load %a1 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.minimum %0, %1 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry add_f16(
// CHECK: ld.global
// CHECK-NOT: cvt
// CHECK: add.rn.f16
// CHECK: ret
tile.kernel @add_f16(%a0: !tile.ref<f16, [32]>, %a1: !tile.ref<f16, [32]>, %o: !tile.ref<f16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f16, [32]> -> tensor<32xf16>
  %1 = tile.load %a1 : !tile.ref<f16, [32]> -> tensor<32xf16>
  %z = tile.add %0, %1 : tensor<32xf16>
  tile.store %z, %o : tensor<32xf16>, !tile.ref<f16, [32]>
  tile.return
}

// CHECK-LABEL: .entry div_f16(
// CHECK: cvt.f32.f16
// CHECK: cvt.f32.f16
// CHECK: div.rn.f32
// CHECK: cvt.rn.f16.f32
// CHECK: ret
tile.kernel @div_f16(%a0: !tile.ref<f16, [32]>, %a1: !tile.ref<f16, [32]>, %o: !tile.ref<f16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f16, [32]> -> tensor<32xf16>
  %1 = tile.load %a1 : !tile.ref<f16, [32]> -> tensor<32xf16>
  %z = tile.div %0, %1 : tensor<32xf16>
  tile.store %z, %o : tensor<32xf16>, !tile.ref<f16, [32]>
  tile.return
}

// CHECK-LABEL: .entry add_bf16(
// CHECK: add.rn.bf16
// CHECK: ret
tile.kernel @add_bf16(%a0: !tile.ref<bf16, [32]>, %a1: !tile.ref<bf16, [32]>, %o: !tile.ref<bf16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<bf16, [32]> -> tensor<32xbf16>
  %1 = tile.load %a1 : !tile.ref<bf16, [32]> -> tensor<32xbf16>
  %z = tile.add %0, %1 : tensor<32xbf16>
  tile.store %z, %o : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}

// By zero gives 0: the quotient by 1 is thrown away.
// CHECK-LABEL: .entry div_u32(
// CHECK: div.u32
// CHECK: selp
// CHECK: ret
tile.kernel @div_u32(%a0: !tile.ref<ui32, [32]>, %a1: !tile.ref<ui32, [32]>, %o: !tile.ref<ui32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<ui32, [32]> -> tensor<32xui32>
  %1 = tile.load %a1 : !tile.ref<ui32, [32]> -> tensor<32xui32>
  %z = tile.div %0, %1 : tensor<32xui32>
  tile.store %z, %o : tensor<32xui32>, !tile.ref<ui32, [32]>
  tile.return
}

// C++ widens small integers; their least number by -1 wraps.
// CHECK-LABEL: .entry div_s8(
// CHECK: div.s
// CHECK: ret
tile.kernel @div_s8(%a0: !tile.ref<i8, [32]>, %a1: !tile.ref<i8, [32]>, %o: !tile.ref<i8, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<i8, [32]> -> tensor<32xi8>
  %1 = tile.load %a1 : !tile.ref<i8, [32]> -> tensor<32xi8>
  %z = tile.div %0, %1 : tensor<32xi8>
  tile.store %z, %o : tensor<32xi8>, !tile.ref<i8, [32]>
  tile.return
}

// CHECK-LABEL: .entry shift(
// CHECK: {{min.u32|setp}}
// CHECK: shr.s32
// CHECK: ret
tile.kernel @shift(%a0: !tile.ref<i32, [32]>, %a1: !tile.ref<i32, [32]>, %o: !tile.ref<i32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<i32, [32]> -> tensor<32xi32>
  %1 = tile.load %a1 : !tile.ref<i32, [32]> -> tensor<32xi32>
  %z = tile.shift_right %0, %1 : tensor<32xi32>
  tile.store %z, %o : tensor<32xi32>, !tile.ref<i32, [32]>
  tile.return
}

// CHECK-LABEL: .entry abs(
// CHECK: abs.f32
// CHECK: ret
tile.kernel @abs(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.abs %0 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry neg(
// CHECK: neg.f32
// CHECK: ret
tile.kernel @neg(%a0: !tile.ref<f32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.neg %0 : tensor<32xf32>
  tile.store %z, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// CHECK-LABEL: .entry ne(
// CHECK: {{setp.neu.f32|setp.equ.f32|setp.eq.f32}}
// CHECK: ret
tile.kernel @ne(%a0: !tile.ref<f32, [32]>, %a1: !tile.ref<f32, [32]>, %o: !tile.ref<i1, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %a0 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.load %a1 : !tile.ref<f32, [32]> -> tensor<32xf32>
  %z = tile.ne %0, %1 : tensor<32xf32> -> tensor<32xi1>
  tile.store %z, %o : tensor<32xi1>, !tile.ref<i1, [32]>
  tile.return
}
