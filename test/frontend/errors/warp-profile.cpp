// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not tegulac --profile --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::profile_scope all("all");
    tg::warp_map([&](auto warp) {
      // CHECK: warp-profile.cpp:[[@LINE+1]]:25: error: events are those of a thread, whose warps run by themselves here: put tg::profile_scope around tg::warp_map [tegula-warp-profile]
      tg::profile_scope step("step");
      o[warp] = 1.0f;
    });
  });
}
