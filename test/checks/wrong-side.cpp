// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile-split %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A row or a column with tg::newaxis on the wrong side.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void row(tg::array<const float, 2> x, tg::array<const float, 1> s, tg::array<float, 2> o) {
  tg::check(x.dim(1) == s.dim(0) && x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the shapes differ");
  // CHECK: wrong-side.cpp:[[@LINE+2]]:80: error: this tile is aligned with dimension 0 of the other operand, and may differ in extent along dimension 0: o.dim(1) and o.dim(0) [tegula-check-extents]
  // CHECK: wrong-side.cpp:[[@LINE+1]]:80: note: it has the extent of dimension 1: to align it there, write t[tg::newaxis, tg::all]
  tg::pallas_call([](auto x, auto s, auto o) { o[tg::all] = tg::exp(x[tg::all] * s[tg::all, tg::newaxis]); },
                  tg::in(x), tg::in(s), tg::out(o));
}
TEGULA_KERNEL void column(tg::array<const float, 2> x, tg::array<const float, 1> s, tg::array<float, 2> o) {
  tg::check(x.dim(0) == s.dim(0) && x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "the shapes differ");
  // CHECK: wrong-side.cpp:[[@LINE+2]]:80: error: this tile is aligned with dimension 1 of the other operand, and may differ in extent along dimension 1: o.dim(0) and o.dim(1) [tegula-check-extents]
  // CHECK: wrong-side.cpp:[[@LINE+1]]:80: note: it has the extent of dimension 0: to align it there, write t[tg::all, tg::newaxis]
  tg::pallas_call([](auto x, auto s, auto o) { o[tg::all] = tg::exp(x[tg::all] * s[tg::newaxis, tg::all]); },
                  tg::in(x), tg::in(s), tg::out(o));
}
TEGULA_KERNEL void matrix(tg::array<const float, 3> x, tg::array<const float, 2> s, tg::array<float, 3> o) {
  tg::check(s.dim(0) == x.dim(0) && s.dim(1) == x.dim(2), "s has a row for each matrix");
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(2) == o.dim(2), "the shapes differ");
  // CHECK: wrong-side.cpp:[[@LINE+2]]:72: error: this tile is aligned with dimensions 1, 2 of the other operand, and may differ in extent along dimension 1: o.dim(0) and o.dim(1) [tegula-check-extents]
  // CHECK: wrong-side.cpp:[[@LINE+1]]:72: note: it has the extents of dimensions 0, 2: to align it there, write t[tg::all, tg::newaxis, tg::all]
  tg::pallas_call([](auto x, auto s, auto o) { o[tg::all] = x[tg::all] * s[tg::all]; }, tg::in(x), tg::in(s),
                  tg::out(o));
}
