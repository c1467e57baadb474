// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// A ref where a value is meant.
void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
        // CHECK: forgot_load.cpp:[[@LINE+1]]:
        o[tg::all] = x + 1.0f;
        // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
        // CHECK: forgot_load.cpp:[[@LINE+1]]:
        o[tg::all] = 2.0f * tg::exp(x);
        // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
        // CHECK: forgot_load.cpp:[[@LINE+1]]:
        o[tg::all] = tg::maximum(x[tg::all], x);
        // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
        // CHECK: forgot_load.cpp:[[@LINE+1]]:
        tg::debug_print("{}", x);
        // CHECK: error: {{.*}}debug_print takes scalars, not tiles: print an element, tile[0]
        // CHECK: forgot_load.cpp:[[@LINE+1]]:
        tg::debug_print("{}", x[tg::all]);
      },
      tg::in(x), tg::out(o));
}
