// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Elements of other widths are neighbours along the last dimension of memory.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::f16, 2> x) {
  tg::kernel([=] {
    tg::smem<tg::f16, 16, 64> s;
    // CHECK: bitcast-width.cpp:[[@LINE+1]]:20: error: tg::bitcast_ref to a dtype of another width requires that the last dimension is innermost in memory: cast first, and transpose the result [tegula-bitcast-width]
    const auto a = tg::bitcast_ref<tg::u32>(tg::transpose_ref(s))[tg::all];
    // CHECK: bitcast-width.cpp:[[@LINE+1]]:20: error: tg::bitcast_ref to a dtype of another width requires
    const auto b = tg::bitcast_ref<tg::u8>(x.at(tg::ds<16>(0), 3))[tg::all];
    const auto c = tg::bitcast_ref<tg::u16>(tg::transpose_ref(s))[tg::all];
    const auto d = tg::transpose_ref(tg::bitcast_ref<tg::u32>(s))[tg::all];
  });
}
