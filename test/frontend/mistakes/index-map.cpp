// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// An index map returns one coordinate per dimension.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      {.grid = {8}}, [](auto x, auto o) { o[tg::all] = x[tg::all]; },
      // CHECK: index-map.cpp:[[@LINE+2]]:11: error: the index map does not fit: it takes one index per grid axis and returns tg::index(...) with one entry per dimension of its array
      // CHECK: index-map.cpp:[[@LINE+1]]:68: error: the index map does not fit: it takes one index per grid axis and returns tg::index(...) with one entry per dimension of its array
      tg::in<64, 128>(x, [](auto i) { return tg::index(i); }), tg::out<64, 128>(o, [](auto i) { return i; }));
}
