// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o %t.ptx 2> %t.remarks
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=REMARKS --implicit-check-not=remark: < %t.remarks
// RUN: tegulac --emit=tile --arch=sm_90a %s -o - | FileCheck %s --check-prefix=TILE
// RUN: tegulac --emit=tile-layout --arch=sm_90a %s -o - 2> /dev/null | FileCheck %s --check-prefix=LAYOUT
// RUN: tegulac --emit=cpu %s -o - | FileCheck %s --check-prefix=CPU --implicit-check-not=layout_cast --implicit-check-not=print_layout
// Layouts that a program asks for, and asks about.
#include <tegula/tegula.h>
namespace tg = tegula;

// TILE-LABEL: tile.entry @told
// TILE: tile.layout_cast %{{.*}} <linear<register [(0, 1), (0, 2), (8, 0)], lane [(0, 8), (0, 4), (1, 0), (2, 0), (4, 0)], warp [(16, 0), (32, 0)] -> (d0 64, d1 16)>> : tensor<64x64xi8>
// TILE: tile.print_layout "bytes: {}" %{{.*}} : tensor<64x64xi8>
// The load has the layout; only what is wide changes places, once, for the product.
// LAYOUT-LABEL: tile.kernel @told
// LAYOUT-NOT: tile.layout_cast
// LAYOUT: tile.load {{.*}} -> tensor<64x64xi8, #tile.layout<linear<register [(0, 1), (0, 2), (8, 0)]
// LAYOUT: tile.relayout {{.*}} -> tensor<64x64xbf16, #tile.layout<wgmma>>
// LAYOUT-NOT: tile.relayout
// LAYOUT: tile.wgmma
// CHECK-LABEL: .entry told_0(
// CHECK: shfl.sync.bfly.b32
// CHECK-NOT: st.shared
// CHECK: wgmma.mma_async
// CPU: told
TEGULA_KERNEL void told(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::s8, 64, 64> a;
    tg::smem<tg::bf16, 64, 64> b;
    tg::barrier here;
    const auto all = tg::ds<64>(0);
    tg::barrier_wait(here);
    const auto bytes = tg::load(a, {.layout = tg::layout::wgmma_upcast_2x});
    // REMARKS: explicit-layouts.cpp:[[#@LINE+1]]:5: remark: shared: tg::swizzle(128)
    tg::print_layout("shared: {}", b);
    // REMARKS: explicit-layouts.cpp:[[#@LINE+1]]:5: remark: plain: tg::swizzle(16), none
    tg::print_layout("plain: {}", a);
    // REMARKS: explicit-layouts.cpp:[[#@LINE+1]]:5: remark: bytes: wgmma_upcast_2x
    tg::print_layout("bytes: {}", bytes);
    tg::acc<float, 64, 64> acc;
    tg::wgmma(acc, tg::astype<tg::bf16>(tg::astype<float>(bytes)), b);
    const auto sums = acc[tg::all];
    const auto rows = tg::sum<1>(sums);
    // REMARKS: explicit-layouts.cpp:[[#@LINE+1]]:5: remark: sums: wgmma
    tg::print_layout("sums: {}", sums);
    // REMARKS: explicit-layouts.cpp:[[#@LINE+1]]:5: remark: rows: wgmma.reduce(1)!
    tg::print_layout("rows: {}!", rows);
    o[all, all] = sums - rows[tg::all, tg::newaxis];
  });
}
