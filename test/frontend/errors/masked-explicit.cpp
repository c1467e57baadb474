// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// At the explicit level masks are for stores to arrays alone.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x) {
  tg::kernel({.grid = {{"m", 2}}}, [=] {
    const auto place = x.at(tg::ds<128>(0));
    // CHECK: masked-explicit.cpp:[[@LINE+1]]:20: error: only tg::store to an array takes a mask in tg::kernel: instead of this tg::load, clamp the indices and select with tg::where [tegula-masked-explicit]
    const auto t = tg::load(place, true, 0);
    tg::smem<float, 128> shared;
    // CHECK: masked-explicit.cpp:[[@LINE+1]]:5: error: only tg::store to an array takes a mask in tg::kernel: instead of this tg::store, clamp the indices and select with tg::where [tegula-masked-explicit]
    tg::store(shared, 1, tg::iota<int, 128>() < 5);
    tg::store(place, 1, tg::iota<int, 128>() < 5);
  });
}
