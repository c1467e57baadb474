// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Objects are passed by reference; arrays decay to nothing.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        int a[2] = {1, 2};
        // CHECK: pointer.cpp:[[@LINE+1]]:18: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
        int *p = a;
        // CHECK: pointer.cpp:[[@LINE+1]]:24: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
        const int *q = &n;
        // CHECK: pointer.cpp:[[@LINE+1]]:19: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
        o[0] = x[*q];
        // CHECK: pointer.cpp:[[@LINE+1]]:22: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
        o[1] = x[*(a + 1)];
      },
      tg::in(x), tg::out(o));
}
