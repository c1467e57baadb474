// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Bad arguments are refused on the host.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        if (n < 0)
          // CHECK: exceptions.cpp:[[@LINE+1]]:11: error: kernels do not throw or catch: refuse bad arguments on the host with tg::check(condition, "message") [tegula-exceptions]
          throw n;
        // CHECK: exceptions.cpp:[[@LINE+1]]:9: error: kernels do not throw or catch: refuse bad arguments on the host with tg::check(condition, "message") [tegula-exceptions]
        try {
          o[0] = x[0];
        } catch (...) {
        }
      },
      tg::in(x), tg::out(o));
}
