// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// What stands in angle brackets is a constant.
void f(tg::array<const float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        const auto n = x.dim(1);
        // CHECK: runtime_constant.cpp:[[@LINE+1]]:{{.*}} error: no matching function for call to 'ds'
        (void)x[0, tg::ds<n>(0)];
        // CHECK: runtime_constant.cpp:[[@LINE+1]]:{{.*}} error: no matching function for call to 'full'
        (void)tg::full<float, n>(0.0f);
      },
      tg::in(x));
}
