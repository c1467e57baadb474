// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// How often tg::static_for calls its body.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        // CHECK: static-for.cpp:[[@LINE+1]]:13: error: static_for unrolls at most 4096 iterations: for a loop that runs on the device, write for (int i = 0; i < n; ++i) (here 5000)
        tg::static_for<5000>([&](auto i) { o[i] = 1.0f; });
        // CHECK: static-for.cpp:[[@LINE+1]]:13: error: the count of static_for<N> is negative: N is 0 or more (here -1)
        tg::static_for<-1>([&](auto i) { o[i] = 1.0f; });
        tg::static_for<0>([&](auto i) { o[i] = 1.0f; });
      },
      tg::out(o));
}
