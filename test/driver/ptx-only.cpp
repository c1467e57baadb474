// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stub with PTX alone needs no ptxas. Its parts are images of their own, and later runs take them from <output>.cubins.
// RUN: rm -rf %t && mkdir %t
// RUN: tegulac --ptx-only --reuse-cubins --ptxas=%t/none --arch=sm_90a,sm_80 %s -o %t/kernels
// RUN: FileCheck %s --input-file=%t/kernels.cpp --implicit-check-not=cubin
// RUN: cp %t/kernels.cpp %t/first && tegulac --ptx-only --reuse-cubins --ptxas=%t/none --arch=sm_90a,sm_80 %s -o %t/kernels
// RUN: cmp %t/kernels.cpp %t/first
// RUN: not tegulac --ptx-only --emit=cubin --arch=sm_90a %s -o - 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: tegulac: error: --ptx-only is for stubs: leave it out, or --emit
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: ptx_sm_90a[] = R"ptx(
// CHECK: .target sm_90a
// CHECK: .visible .entry doubled_0(
// CHECK: .target sm_80
// CHECK: {90, 'a', abi::image_kind::ptx, ptx_sm_90a, sizeof ptx_sm_90a - 1,
// CHECK: {80, 0, abi::image_kind::ptx, ptx_sm_80, sizeof ptx_sm_80 - 1,
TEGULA_KERNEL void doubled(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 2 * x[tg::all]; }, tg::inout(x));
}
