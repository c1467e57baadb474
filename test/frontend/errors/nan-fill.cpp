// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Integers have no NaN.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::s32, 1> x, tg::array<const tg::e4m3, 1> y) {
  tg::kernel([=] {
    tg::smem<tg::s32, 64> a;
    tg::smem<tg::e4m3, 64> b;
    tg::barrier here{.num_arrivals = 2};
    // CHECK: nan-fill.cpp:[[@LINE+1]]:57: error: elements of s32 out of bounds cannot be filled with NaN: tg::oob_fill::nan is for f16, bf16, float and double [tegula-nan-fill]
    tg::copy_gmem_to_smem(x.at(tg::ds<64>(0)), a, here, {.oob_mode = tg::oob_fill::nan});
    // CHECK: nan-fill.cpp:[[@LINE+1]]:57: error: elements of e4m3 out of bounds cannot be filled with NaN: tg::oob_fill::nan is for f16, bf16, float and double [tegula-nan-fill]
    tg::copy_gmem_to_smem(y.at(tg::ds<64>(0)), b, here, {.oob_mode = tg::oob_fill::nan});
    tg::emit_pipeline({.grid = {2}}, [](auto, auto) {},
                      // CHECK: nan-fill.cpp:[[@LINE+1]]:74: error: elements of s32 out of bounds cannot be filled with
                      tg::in<64>(x, [](auto i) { return tg::index(i); }, {.oob_mode = tg::oob_fill::nan}));
  });
}
