// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Phases of barriers are counted for each warp; a variable of the program is one.
#include <tegula/tegula.h>
namespace tg = tegula;

struct pair {
  tg::s64 a, b;
};

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::barrier full;
    tg::s64 count = 0;
    pair both{0, 0};
    tg::warp_map([&](auto warp) {
      tg::s64 own = 0;
      own += warp;
      if (warp == 0)
        tg::barrier_wait(full);
      // CHECK: warp-assigned.cpp:[[@LINE+1]]:13: error: a variable declared outside of tg::warp_map is assigned inside, where each warp would have a value of its own: declare it inside, or store the result of the warp to shared memory [tegula-warp-assigned]
      count += own;
      // CHECK: warp-assigned.cpp:[[@LINE+1]]:14: error: a variable declared outside of tg::warp_map is assigned
      both.b = own;
    });
    o[0] = static_cast<float>(count + both.b);
  });
}
