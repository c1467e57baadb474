// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A body neither checks nor allocates nor launches.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: host-only.cpp:[[@LINE+1]]:9: error: tg::check is allowed only in host code: call it before or after the launch, not in the kernel body [tegula-host-only]
        tg::check(n > 0, "n is positive");
        // CHECK: host-only.cpp:[[@LINE+1]]:24: error: tg::empty is allowed only in host code: call it before or after the launch, not in the kernel body [tegula-host-only]
        auto scratch = tg::empty<float>(n);
        // CHECK: host-only.cpp:[[@LINE+1]]:9: error: tg::pallas_call is allowed only in host code: call it before or after the launch, not in the kernel body [tegula-host-only]
        tg::pallas_call([](auto o) { o[0] = 1.0f; }, tg::out(o));
      },
      tg::in(x), tg::out(o));
}
