// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula/language
// What a CUDA kernel does with pointers.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void parameter(const float *x, tg::array<float, 2> o) {
  // CHECK: pointers.cpp:[[@LINE+1]]:69: error: a spec takes an array, not a pointer: declare the parameter of the entry as an array, which knows its extents, tg::array<const float, 2> x
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; },  tg::in(x), tg::out(o));
}
TEGULA_KERNEL void dereferenced(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: pointers.cpp:[[@LINE+1]]:22: error: a ref is no pointer: load its elements, x[tg::all], or one of them, x[i]
        o[tg::all] = *x;
        auto t = x[tg::all];
        // CHECK: pointers.cpp:[[@LINE+1]]:22: error: a tile is a value and no pointer: leave out the *
        o[tg::all] = *t;
      },
      tg::in(x), tg::out(o));
}
