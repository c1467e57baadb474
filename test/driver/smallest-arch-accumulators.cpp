// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading an accumulator waits for wgmma, even if nothing was multiplied.
// RUN: not tegulac %s --emit=ptx --arch=sm_80 -o %t 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void unmultiplied(tg::array<float, 2> o) {
  tg::check(o.dim(0) == 64 && o.dim(1) == 64, "o is 64 by 64");
  tg::kernel([=] {
    tg::acc<float, 64, 64> acc;
    // CHECK: smallest-arch-accumulators.cpp:[[@LINE+1]]:{{[0-9]+}}: error: wgmma needs sm_90a; sm_80 has none: leave it out of --arch (in CMake: ARCHS) [tegula-check-targets]
    o[tg::ds<64>(0), tg::ds<64>(0)] = acc[tg::all];
  });
}
