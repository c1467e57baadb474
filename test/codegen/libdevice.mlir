// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libdevice are linked where they are called, inlined, and nothing else of it comes along.
// RUN: tegulac --arch sm_90a --emit ptx %s | FileCheck %s
// RUN: env TEGULA_LIBDEVICE=/nowhere/libdevice.10.bc not tegulac --arch sm_90a --emit ptx %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: env TEGULA_LIBDEVICE=%s not tegulac --arch sm_90a --emit ptx %s 2>&1 | FileCheck %s --check-prefix=GARBAGE

// MISSING: error: the kernels call __nv_expf of CUDA's libdevice, and '/nowhere/libdevice.10.bc' cannot be read (No such file or directory): install a CUDA toolkit, or name its libdevice.10.bc in TEGULA_LIBDEVICE
// GARBAGE: error: the kernels call __nv_expf of CUDA's libdevice, and '{{.*}}libdevice.mlir' is not LLVM bitcode

// CHECK-NOT: .func
// CHECK-LABEL: .entry exp(
// CHECK-NOT: call
// CHECK: ex2.approx.ftz.f32
// CHECK: ret
tile.kernel @exp(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.exp %0 : tensor<32xf32>
  tile.store %1, %x : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}

// Of f32, erf takes no branch: nearly every warp would go both ways.
// CHECK-LABEL: .entry erf(
// CHECK-NOT: {{bra|call}}
// CHECK: ex2.approx.ftz.f32
// CHECK-NOT: {{bra|call}}
// CHECK: ret
tile.kernel @erf(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %1 = tile.erf %0 : tensor<32xf32>
  tile.store %1, %x : tensor<32xf32>, !tile.ref<f32, [32]>
  tile.return
}
