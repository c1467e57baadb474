// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Which variable a reference means is known when the kernel is compiled; a value may be chosen.
#include <tegula/tegula.h>
namespace tg = tegula;

inline float &larger(float &a, float &b) {
  if (a > b)
    // CHECK: run-time-choice.cpp:[[@LINE+1]]:12: error: the choice between objects of type 'float' must be a compile-time constant: select a value with tg::where(condition, a, b) or ?:, or write an if around the code that uses it [tegula-run-time-choice]
    return a;
  // CHECK: run-time-choice.cpp:[[@LINE+1]]:10: error: the choice between objects of type 'float' must be a compile-time constant: select a value with tg::where(condition, a, b) or ?:, or write an if around the code that uses it [tegula-run-time-choice]
  return b;
}
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        float a = x[0], b = x[1];
        larger(a, b) = 1.0f;
        // CHECK: run-time-choice.cpp:[[@LINE+1]]:10: error: the choice between objects of type 'float' must be a compile-time constant: select a value with tg::where(condition, a, b) or ?:, or write an if around the code that uses it [tegula-run-time-choice]
        (n > 0 ? a : b) = 2.0f;
        const float c = n > 0 ? a : b;
        o[0] = a + b + c;
      },
      tg::in(x), tg::out(o));
}
