// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// At the explicit level every thread accesses what is there.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x) {
  tg::kernel({.grid = {{"m", 2}}}, [=] {
    const auto place = x.at(tg::ds<128>(0));
    // CHECK: masked-explicit.cpp:[[@LINE+1]]:20: error: tg::load takes no mask in tg::kernel, whose accesses are those of its threads: put an if around it, or clamp the indices [tegula-masked-explicit]
    const auto t = tg::load(place, true, 0);
    // CHECK: masked-explicit.cpp:[[@LINE+1]]:5: error: tg::store takes no mask in tg::kernel, whose accesses are those of its threads: put an if around it, or clamp the indices [tegula-masked-explicit]
    tg::store(place, 1, tg::iota<int, 128>() < 5);
  });
}
