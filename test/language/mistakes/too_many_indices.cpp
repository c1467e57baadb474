// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Indices consume dimensions; newaxis does not.
void f(tg::array<const float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        (void)x[0, tg::newaxis, 0];
        // CHECK: too_many_indices.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}there are more indices than dimensions; a ref or value of rank 0 takes none, x[]
        (void)x[0, 0, 0];
        // CHECK: too_many_indices.cpp:[[@LINE+1]]:{{.*}} error: no viable overloaded operator[] for type
        (void)x[tg::all, 1.5f];
      },
      tg::in(x));
}
