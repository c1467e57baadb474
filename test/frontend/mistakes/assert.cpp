// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h --implicit-check-not="expanded from"
// The macro of the system, at the line of whoever wrote it.
#include <tegula/tegula.h>
namespace tg = tegula;

#include <cassert>
#include <cstdio>

TEGULA_KERNEL void f(tg::array<float, 1> o, int n) {
  // CHECK: assert.cpp:[[@LINE+1]]:3: error: kernels cannot call 'assert' of the standard library: use tg::check(condition, "message") [tegula-standard-function]
  assert(n > 3);
  // CHECK: assert.cpp:[[@LINE+1]]:3: error: kernels cannot call 'printf' of the standard library: use it in the program that calls the entry [tegula-standard-function]
  printf("%d", n);
  tg::pallas_call(
      [=](auto o) {
        // CHECK: assert.cpp:[[@LINE+1]]:9: error: kernels cannot call 'assert' of the standard library: use tg::debug_check(condition, "message"), compiled with --debug-checks, or in host code tg::check(condition, "message") [tegula-standard-function]
        assert(o.dim(0) > 3);
        // CHECK: assert.cpp:[[@LINE+1]]:9: error: kernels cannot call 'printf' of the standard library: use tg::debug_print("x is {}", x) [tegula-standard-function]
        std::printf("%d", n);
        o[tg::all] = 1.0f;
      },
      tg::out(o));
}
