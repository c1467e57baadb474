// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Arrays reach the body through a spec.
void f(tg::array<const float, 1> x) {
  // CHECK: error: {{.*}}an argument of pallas_call is not a block spec: wrap each array in tg::in, tg::out or tg::inout
  // CHECK: array_without_spec.cpp:[[@LINE+1]]:
  tg::pallas_call([](auto x) { (void)x; }, x);
}
