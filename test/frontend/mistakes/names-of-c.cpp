// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What C has for printing and for stopping, whose headers are not included.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        // CHECK: names-of-c.cpp:[[@LINE+1]]:9: error: a kernel prints by tg::debug_print("x is {}", x)
        printf("%d", n);
        // CHECK: names-of-c.cpp:[[@LINE+1]]:9: error: check conditions in a program with tg::debug_check(condition, "message"), compiled with --debug-checks, and arguments in host code with tg::check(condition, "message")
        assert(n > 3);
        // CHECK: names-of-c.cpp:[[@LINE+1]]:9: error: a kernel body cannot end the process: refuse bad arguments in host code, tg::check(condition, "message")
        abort();
        o[tg::all] = 1.0f;
      },
      tg::out(o));
}
