// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// A store does not convert.
void f(tg::array<const float, 1> x, tg::array<tg::bf16, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: error: {{.*}}the element types differ, and an assignment does not convert: write tg::astype<...>(value)
        // CHECK: forgot_astype.cpp:[[@LINE+1]]:
        o[tg::all] = tg::exp(x[tg::all]);
        // CHECK: error: {{.*}}the element types differ, and a store does not convert: write tg::astype<...>(value)
        // CHECK: forgot_astype.cpp:[[@LINE+1]]:
        tg::store(o, x[tg::all]);
      },
      tg::in(x), tg::out(o));
}
