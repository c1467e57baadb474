// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Messages and formats are literals.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: not-a-literal.cpp:[[@LINE+1]]:26: error: kernels cannot run this expression: compute it from numbers, tiles, structs and function calls [tegula-expression]
  const char message[] = "no";
  // CHECK: not-a-literal.cpp:[[@LINE+1]]:20: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
  tg::check(n > 0, message);
}
