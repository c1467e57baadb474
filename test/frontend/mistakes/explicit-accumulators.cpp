// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Parts of accumulators that no product adds to.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  tg::kernel([=] {
    tg::smem<tg::bf16, 4, 128, 64> a;
    tg::smem<tg::bf16, 64, 256> c;
    tg::acc<float, 128, 256> acc;
    // CHECK: explicit-accumulators.cpp:[[@LINE+1]]:9: error: a part of an accumulator must have two dimensions: acc.at(tg::ds<64>(0), tg::ds<128>(0))
    tg::wgmma(acc.at(0), a.at(0), c);
    // CHECK: explicit-accumulators.cpp:[[@LINE+1]]:9: error: a part of an accumulator must have a multiple of 64 rows and of 8 columns: acc.at(tg::ds<64>(0), tg::ds<128>(0))
    tg::wgmma(acc.at(tg::ds<32>(0)), a.at(0, tg::ds<32>(0)), c);
    // CHECK: explicit-accumulators.cpp:[[@LINE+1]]:9: error: the accumulator's shape does not fit: a is M x K and b is K x N, so acc is M x N
    tg::wgmma(acc.at(tg::ds<64>(0), tg::ds<128>(0)), a.at(0, tg::ds<64>(0)), c);
  });
}
