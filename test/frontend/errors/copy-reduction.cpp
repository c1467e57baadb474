// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Copies combine what the hardware combines.
#include <tegula/tegula.h>
namespace tg = tegula;
using op = tg::reduction_op;

TEGULA_KERNEL void f(tg::array<float, 1> x, tg::array<tg::s32, 1> y, tg::array<tg::f16, 1> z, tg::array<double, 1> w) {
  tg::kernel([=] {
    tg::smem<float, 64> a;
    tg::smem<tg::s32, 64> b;
    tg::smem<tg::f16, 64> c;
    tg::smem<double, 64> d;
    // CHECK: copy-reduction.cpp:[[@LINE+1]]:51: error: copies to an array do not combine elements of f32 by tg::reduction_op::max: add takes f16, bf16, float and integers of 32 and 64 bits, min and max take f16, bf16 and these integers, inc and dec take u32, bitwise_and, bitwise_or and bitwise_xor take these integers [tegula-copy-reduction]
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.reduction = op::max});
    // CHECK: copy-reduction.cpp:[[@LINE+1]]:51: error: copies to an array do not combine elements of s32 by tg::reduction_op::inc: {{.*}} [tegula-copy-reduction]
    tg::copy_smem_to_gmem(b, y.at(tg::ds<64>(0)), {.reduction = op::inc});
    // CHECK: copy-reduction.cpp:[[@LINE+1]]:51: error: copies to an array do not combine elements of f16 by tg::reduction_op::bitwise_xor: {{.*}} [tegula-copy-reduction]
    tg::copy_smem_to_gmem(c, z.at(tg::ds<64>(0)), {.reduction = op::bitwise_xor});
    // CHECK: copy-reduction.cpp:[[@LINE+1]]:51: error: copies to an array do not combine elements of f64 by tg::reduction_op::add: {{.*}} [tegula-copy-reduction]
    tg::copy_smem_to_gmem(d, w.at(tg::ds<64>(0)), {.reduction = op::add});
    tg::copy_smem_to_gmem(b, y.at(tg::ds<64>(0)), {.reduction = op::bitwise_xor});
  });
}
