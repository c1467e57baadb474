// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Programs do not write to the host's variables.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  int sum = n;
  tg::pallas_call(
      [&](auto x) {
        // CHECK: host-variable.cpp:[[@LINE+1]]:13: error: a kernel body cannot assign a variable of host code, because its programs run in parallel on the device: store to an array, tg::out(o) [tegula-host-variable]
        sum += 1;
        (void)x[sum];
      },
      tg::in(x));
}
