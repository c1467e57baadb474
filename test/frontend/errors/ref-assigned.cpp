// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A ref is one place.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        auto row = o.at(0);
        // CHECK: ref-assigned.cpp:[[@LINE+1]]:13: error: an object of type 'tegula::ref<float, tegula::memory_space::gmem, -1>' is bound to one place or function and cannot be assigned: declare a new variable; to store a value, write ref[tg::all] = value [tegula-ref-assigned]
        row = o.at(1);
        row[tg::all] = x[0];
      },
      tg::in(x), tg::out(o));
}
