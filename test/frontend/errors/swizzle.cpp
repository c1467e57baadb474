// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A swizzle that is pinned fits the rows.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x) {
  tg::kernel([=] {
    tg::smem<float, 64, 48> fits{.transforms = {tg::swizzle(64)}};
    tg::smem<float, 60, 50> none{.transforms = {tg::swizzle(16)}};
    // CHECK: swizzle.cpp:[[@LINE+1]]:29: error: the swizzle of shared memory must be 16 (none), 32, 64 or 128 bytes, divide the bytes of a row, and have a multiple of 8 rows: not 128 for 64 rows of 192 bytes [tegula-swizzle]
    tg::smem<float, 64, 48> wide{.transforms = {tg::swizzle(128)}};
    // CHECK: swizzle.cpp:[[@LINE+1]]:32: error: the swizzle of shared memory must {{.*}}: not 32 for 60 rows of 192 bytes [tegula-swizzle]
    tg::smem<float, 2, 60, 48> odd{.transforms = {tg::swizzle(32)}};
    // CHECK: swizzle.cpp:[[@LINE+1]]:29: error: the swizzle of shared memory must {{.*}}: not 96 for 64 rows of 192 bytes [tegula-swizzle]
    tg::smem<float, 64, 48> none_such{.transforms = {tg::swizzle(96)}};
    // CHECK: swizzle.cpp:[[@LINE+2]]:11: error: the swizzle of shared memory must {{.*}}: not 64 for 8 rows of 32 bytes [tegula-swizzle]
    tg::emit_pipeline({.grid = {2}}, [](auto, auto) {},
          tg::in<8, 8>(x, [](auto i) { return tg::index(i, 0); }, {.transforms = {tg::swizzle(64)}}));
  });
}
