// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What elementwise ops become whose instruction is not LLVM's of that name.
// RUN: tegula-opt --tile-assign-layouts --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// Of 8 bits in 32: a product, a saturated sum, zeros that end at a bit above.
// CHECK-LABEL: llvm.func @bytes
// CHECK: llvm.sext %{{.*}} : vector<4xi8> to vector<4xi32>
// CHECK: llvm.mul
// CHECK: llvm.lshr
// CHECK: llvm.trunc %{{.*}} : vector<4xi32> to vector<4xi8>
// CHECK: llvm.intr.smax
// CHECK: llvm.intr.smin
// CHECK: llvm.or
// CHECK: brev.b32
// CHECK: llvm.intr.ctlz
tile.kernel @bytes(%x: !tile.ref<i8, [128], align 4>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i8, [128], align 4> -> tensor<128xi8>
  %1 = tile.mul_hi %0, %0 : tensor<128xi8>
  %2 = tile.add_sat %1, %0 : tensor<128xi8>
  %3 = tile.ctz %2 : tensor<128xi8>
  tile.store %3, %x : tensor<128xi8>, !tile.ref<i8, [128], align 4>
  tile.return
}

// -----

// CHECK-LABEL: llvm.func @words
// CHECK: llvm.call_intrinsic "llvm.nvvm.mulhi.ui"
// CHECK: llvm.intr.umax
// CHECK: llvm.intr.bitreverse
// CHECK-NOT: llvm.bitcast
// CHECK: llvm.bitcast %{{.*}} : i32 to f32
// CHECK: llvm.intr.roundeven
tile.kernel @words(%x: !tile.ref<ui32, [32]>, %o: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<ui32, [32]> -> tensor<32xui32>
  %1 = tile.mul_hi %0, %0 : tensor<32xui32>
  %2 = tile.sub_sat %1, %0 : tensor<32xui32>
  %3 = tile.bit_reverse %2 : tensor<32xui32>
  %4 = tile.bitcast %3 : tensor<32xui32> -> tensor<32xf32>
  %5 = tile.rint %4 : tensor<32xf32>
  tile.store %5, %o : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// -----

// f16 and bf16: signs by bits, a product and a sum at once on 16 bits; functions in f32.
// CHECK-LABEL: llvm.func @halves
// CHECK-NOT: fpext
// CHECK: llvm.and %{{.*}} : vector<2xi16>
// CHECK: llvm.intr.fma(%{{.*}}) : (vector<2xbf16>, vector<2xbf16>, vector<2xbf16>) -> vector<2xbf16>
// CHECK: llvm.call @__nv_cbrtf
// CHECK: llvm.fptrunc
tile.kernel @halves(%x: !tile.ref<bf16, [64], align 4>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [64], align 4> -> tensor<64xbf16>
  %1 = tile.neg %0 : tensor<64xbf16>
  %2 = tile.copysign %0, %1 : tensor<64xbf16>
  %3 = tile.fma %2, %1, %0 : tensor<64xbf16>
  %4 = tile.cbrt %3 : tensor<64xbf16>
  tile.store %4, %x : tensor<64xbf16>, !tile.ref<bf16, [64], align 4>
  tile.return
}

// -----

// One division makes quotient and remainder.
// CHECK-LABEL: llvm.func @floor_division
// CHECK: llvm.sdiv
// CHECK-NOT: llvm.srem
// CHECK: llvm.mul
tile.kernel @floor_division(%x: !tile.ref<i32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i32, [32]> -> tensor<32xi32>
  %1 = tile.floor_mod %0, %0 : tensor<32xi32>
  tile.store %1, %x : tensor<32xi32>, !tile.ref<i32, [32]>
  tile.return
}

// -----

// bf16 has the exponents of f32: what is cut off is added to.
// CHECK-LABEL: llvm.func @stochastic
// CHECK-NOT: llvm.intr.floor
// CHECK: llvm.add
// CHECK: llvm.fptrunc
// CHECK-LABEL: llvm.func @stochastic_subnormals
// CHECK: llvm.intr.floor
// CHECK: tegula_float_to_e5m2
tile.kernel @stochastic(%x: !tile.ref<f32, [32]>, %b: !tile.ref<ui32, [32]>, %o: !tile.ref<bf16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.load %b : !tile.ref<ui32, [32]> -> tensor<32xui32>
  %2 = tile.stochastic_cast %0, %1 : tensor<32xf32>, tensor<32xui32> -> tensor<32xbf16>
  tile.store %2, %o : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}
tile.kernel @stochastic_subnormals(%x: !tile.ref<f32, [32]>, %b: !tile.ref<ui32, [32]>, %o: !tile.ref<f8E5M2, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.load %b : !tile.ref<ui32, [32]> -> tensor<32xui32>
  %2 = tile.stochastic_cast %0, %1 : tensor<32xf32>, tensor<32xui32> -> tensor<32xf8E5M2>
  tile.store %2, %o : tensor<32xf8E5M2>, !tile.ref<f8E5M2, [32]>
  tile.return
}

// -----

// Activations of small floats call no library, and have no branch; a negative sigmoid is not subnormal on its way.
// CHECK-LABEL: llvm.func @activations
// CHECK-NOT: __nv_
// CHECK: llvm.nvvm.ex2.approx.ftz.f
// CHECK: llvm.intr.fma
// CHECK: llvm.nvvm.rcp.approx.ftz.f
// CHECK-NOT: __nv_
// CHECK: llvm.intr.minnum
// CHECK-COUNT-9: llvm.intr.fma
// CHECK: llvm.nvvm.ex2.approx.ftz.f
// CHECK: llvm.intr.maximum
// CHECK: llvm.intr.fma
// CHECK: llvm.return
tile.kernel @activations(%x: !tile.ref<bf16, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [32]> -> tensor<32xbf16>
  %1 = tile.silu %0 : tensor<32xbf16>
  %2 = tile.gelu %1 : tensor<32xbf16>
  tile.store %2, %x : tensor<32xbf16>, !tile.ref<bf16, [32]>
  tile.return
}
