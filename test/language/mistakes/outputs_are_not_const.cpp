// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// An output's elements are not const.
void f(tg::array<const float, 1> x) {
  tg::pallas_call(
      // CHECK: error: {{.*}}this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
      // CHECK: outputs_are_not_const.cpp:[[@LINE+1]]:
      [](auto x) { tg::store(x, 1.0f); }, tg::out(x));
}
