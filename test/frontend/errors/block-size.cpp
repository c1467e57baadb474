// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Blocks are not empty.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      // CHECK: block-size.cpp:[[@LINE+1]]:68: error: the size of a block must be positive, not 0 [tegula-block-size]
      {.grid = {n}}, [](auto o) { o[tg::all] = 1.0f; }, tg::out(o, {0}, [](auto i) { return tg::index(i); }));
}

TEGULA_KERNEL void g(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      {.grid = {4}}, [](auto x, auto o) { o[tg::all] = x[tg::all]; },
      // CHECK: block-size.cpp:[[@LINE+1]]:17: error: tg::whole is allowed only in angle brackets, tg::in<64, tg::whole>(x, map): in braces write the dim, x.dim(1) [tegula-block-size]
      tg::in(x, {1, tg::whole}, [](auto i) { return tg::index(i, 0); }), tg::out<1, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}
