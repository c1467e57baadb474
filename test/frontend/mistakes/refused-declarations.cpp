// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A declaration that is refused says so once: its uses are silent.
#include <tegula/tegula.h>
namespace tg = tegula;

struct guard {
  float held = 1;
  ~guard() {}
};

TEGULA_KERNEL void scalars(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        // CHECK: refused-declarations.cpp:[[@LINE+1]]:24: error: {{.*}} [tegula-volatile]
        volatile float v = 1;
        // CHECK: refused-declarations.cpp:[[@LINE+1]]:22: error: {{.*}} [tegula-static]
        static float s = 1;
        // CHECK: refused-declarations.cpp:[[@LINE+1]]:15: error: {{.*}} [tegula-destructor]
        guard g;
        v = 2;
        o[0] = v + s + g.held;
        s = v;
        const float sum = v + s;
        auto t = o[tg::all] * sum;
        t += sum;
        o[tg::all] = t;
        for (int i = 0; i < static_cast<int>(v); ++i)
          if (s > 1)
            g.held += o[i];
      },
      tg::inout(o));
}

TEGULA_KERNEL void scratch(tg::array<const float, 2> x) {
  tg::kernel([=] {
    // CHECK: refused-declarations.cpp:[[@LINE+1]]:29: error: {{.*}} [tegula-swizzle]
    tg::smem<float, 64, 64> odd{.transforms = {tg::swizzle(48)}};
    // CHECK: refused-declarations.cpp:[[@LINE+1]]:19: error: {{.*}} [tegula-num-arrivals]
    tg::barrier<> none{.num_arrivals = 0};
    tg::smem<float, 64, 64> fine;
    odd[tg::all] = 1.F;
    fine[tg::all] = odd[tg::all];
    const auto part = odd.at(tg::ds<32>(0));
    fine.at(tg::ds<32>(0))[tg::all] = part[tg::all];
    tg::barrier_arrive(none);
    tg::barrier_wait(none);
  });
}
