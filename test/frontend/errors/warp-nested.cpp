// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::warp_map([&](auto) {
      // CHECK: warp-nested.cpp:[[@LINE+1]]:7: error: tg::warp_map cannot be nested in another one, because a warp has no warps: call it before the other one, or after it [tegula-warp-nested]
      tg::warp_map([&](auto warp) { o[warp] = 1.0f; });
    });
  });
}
