// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Blocks of tg::in are read-only.
void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: store_to_input.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
        x[tg::all] = o[tg::all];
        // CHECK: error: {{.*}}this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
        // CHECK: store_to_input.cpp:[[@LINE+1]]:
        x[tg::all] += o[tg::all];
        // CHECK: error: {{.*}}this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
        // CHECK: store_to_input.cpp:[[@LINE+1]]:
        tg::store(x, 0.0f);
        // CHECK: store_to_input.cpp:[[@LINE+1]]:{{.*}} error: cannot assign to return value because function 'operator[]
        x[0] = 1.0f;
      },
      tg::in(x), tg::out(o));
}
