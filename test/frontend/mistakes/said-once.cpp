// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What is built on an expression in error is silent; other mistakes of a line are not.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: said-once.cpp:[[@LINE+1]]:22: error: tg::load takes a ref, not a loaded value: write tg::load(x, mask, 0), or for a part tg::load(x.at(i), mask, 0)
        o[tg::all] = tg::load(x[tg::all], true, 0);
        // CHECK: said-once.cpp:[[@LINE+1]]:35: error: the arguments of the reduction do not fit: it takes a tile and optionally tg::keepdims; axes are template arguments, tg::
        o[tg::all] = x[tg::all] - tg::sum(x[tg::all], 1);
        // CHECK: said-once.cpp:[[@LINE+1]]:43: error: tg::max takes one tile: reduce along an axis by tg::max<1>(x); the greater of two is tg::maximum(a, b)
        o[tg::all] = tg::exp(x[tg::all] - tg::max(x[tg::all], x[tg::all]));
        // CHECK: said-once.cpp:[[@LINE+1]]:28: error: tg::min takes one tile: reduce along an axis by tg::min<1>(x); the less of two is tg::minimum(a, b)
        const auto least = tg::min(x[tg::all], 1.F);
        o[tg::all] = least + x[tg::all];
        // CHECK: said-once.cpp:[[@LINE+1]]:15: error: a ref is a place, not a value
        if (x > 1.F)
          o[0] = 1.F;
        // Two mistakes.
        // CHECK: said-once.cpp:[[@LINE+2]]:22: error: tg::max takes one tile: reduce along an axis by tg::max<1>(x); the greater of two is tg::maximum(a, b)
        // CHECK: said-once.cpp:[[@LINE+1]]:56: error: tg::min takes one tile: reduce along an axis by tg::min<1>(x); the less of two is tg::minimum(a, b)
        o[tg::all] = tg::max(x[tg::all], x[tg::all]) + tg::min(x[tg::all], x[tg::all]);
        // CHECK: said-once.cpp:[[@LINE+2]]:25: error: there are more indices than dimensions; a ref or value of rank 0 takes none, x[]
        // CHECK: said-once.cpp:[[@LINE+1]]:52: error: there are more indices than dimensions; a ref or value of rank 0 takes none, x[]
        const auto a = x[0, 0, 0]; const auto b = x[1, 1, 1];
        o[0, 0] = a + b;
      },
      tg::in(x), tg::out(o));
}

// The body is instantiated for both, and has one mistake.
template <int N> void twice(tg::array<const float, 1> x) {
  const auto body = [](auto x) {
    // CHECK: said-once.cpp:[[@LINE+1]]:12: error: a ref is a place, not a value
    (void)(-x);
  };
  tg::pallas_call(body, tg::in<N>(x, [] { return tg::index(0); }));
  tg::pallas_call(body, tg::in(x));
}
TEGULA_KERNEL void g(tg::array<const float, 1> x) { twice<64>(x); }
