// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Messages and formats are literals.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  const char message[] = "no";
  // CHECK: not-a-literal.cpp:[[@LINE+1]]:20: error: the text must be a string literal: it becomes part of the code [tegula-not-a-literal]
  tg::check(n > 0, message);
}
