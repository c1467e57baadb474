// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::warp_map([&](auto) {
      // CHECK: warp-declaration.cpp:[[@LINE+1]]:27: error: tg::smem belongs to the four warps of a warpgroup, but here each warp runs by itself: declare it before tg::warp_map [tegula-warp-declaration]
      tg::smem<float, 64> shared;
      // CHECK: warp-declaration.cpp:[[@LINE+1]]:19: error: tg::barrier belongs to the four warps
      tg::barrier full;
      // CHECK: warp-declaration.cpp:[[@LINE+1]]:25: error: tg::named_barrier belongs to the four warps
      tg::named_barrier both;
      // CHECK: warp-declaration.cpp:[[@LINE+1]]:30: error: tg::acc belongs to the four warps
      tg::acc<float, 64, 64> sum;
    });
  });
}
