// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A constant is a value of the tile's type.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::u8, 1> x, tg::array<tg::u8, 1> o) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: constant-fits.cpp:[[@LINE+1]]:35: error: the constant 300 is out of the range of the tile's dtype u8 [tegula-constant-fits]
        o[tg::all] = x[tg::all] + 300;
        // CHECK: constant-fits.cpp:[[@LINE+1]]:46: error: the constant -1 is out of the range of the tile's dtype u8 [tegula-constant-fits]
        o[tg::all] = tg::maximum(x[tg::all], -1);
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void four_bits(tg::array<tg::s4, 1> x, tg::array<tg::u4, 1> y) {
  tg::pallas_call(
      [=](auto x, auto y) {
        // CHECK: constant-fits.cpp:[[@LINE+1]]:22: error: the constant 8 is out of the range of the tile's dtype s4 [tegula-constant-fits]
        x[tg::all] = 8;
        // CHECK: constant-fits.cpp:[[@LINE+1]]:22: error: the constant -1 is out of the range of the tile's dtype u4 [tegula-constant-fits]
        y[tg::all] = tg::full<tg::u4>(-1, y.dim(0));
      },
      tg::out(x), tg::out(y));
}
