// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A switch chooses by a constant.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: run-time-switch.cpp:[[@LINE+1]]:9: error: a switch over a value that is known at run time is not supported: write if and else if [tegula-run-time-switch]
        switch (n) {
        case 0:
          o[0] = x[0];
          break;
        default:
          o[0] = x[1];
        }
      },
      tg::in(x), tg::out(o));
}
