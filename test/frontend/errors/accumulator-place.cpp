// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Where a part of an accumulator begins.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 i) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a;
    tg::acc<float, 128, 128> acc;
    // CHECK: accumulator-place.cpp:[[@LINE+1]]:19: error: a part of an accumulator must begin at compile-time constants, a multiple of 64 rows and of 8 columns, because registers have no addresses: unroll a loop over parts, tg::static_for [tegula-accumulator-place]
    tg::wgmma(acc.at(tg::ds<64>(i), tg::ds<64>(0)), a, a);
    // CHECK: accumulator-place.cpp:[[@LINE+1]]:19: error: a part of an accumulator must begin at compile-time
    tg::wgmma(acc.at(tg::ds<64>(0), tg::ds<64>(4)), a, a);
    // CHECK: accumulator-place.cpp:[[@LINE+1]]:19: error: a part of an accumulator must begin at compile-time
    tg::wgmma(acc.at(tg::ds<64>(32), tg::ds<64>(64)), a, a);
    // CHECK: accumulator-place.cpp:[[@LINE+1]]:37: error: index 191 is out of bounds for an extent of 128 [tegula-index]
    tg::wgmma(acc.at(tg::ds<64>(0), tg::ds<64>(128)), a, a);
    const auto part = acc.at(tg::ds<64>(64), tg::ds<64>(0));
    // CHECK: accumulator-place.cpp:[[@LINE+1]]:19: error: an accumulator is assigned as a whole, acc[tg::all] = x: a part of it can only be read [tegula-accumulator-part]
    part[tg::all] = tg::zeros<float, 64, 64>();
  });
}
