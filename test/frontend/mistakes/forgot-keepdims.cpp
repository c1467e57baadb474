// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile-split %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// RUN: not tegulac --emit=tile-split -DSTATIC %s 2>&1 | FileCheck %s --check-prefix=STATIC --implicit-check-not=error: --implicit-check-not=tegula.h
// A reduced tile that meets what it was made of, or what has that shape.
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef STATIC
TEGULA_KERNEL tg::array<float, 2> softmax(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: forgot-keepdims.cpp:[[@LINE+2]]:34: error: a reduction drops the axis that it reduces, so its result is aligned with dimension 1 of the other operand, and may differ in extent along dimension 1: x.dim(0) and x.dim(1)
        // CHECK: forgot-keepdims.cpp:[[@LINE+1]]:34: note: keep the axis, as in tg::max<1>(x, tg::keepdims): it then has extent 1 and broadcasts
        const auto e = tg::exp(t - tg::max<1>(t));
        o[tg::all] = e / tg::sum<1>(e, tg::keepdims);
      },
      tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL tg::array<float, 3> on_the_left(tg::array<const float, 3> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: forgot-keepdims.cpp:[[@LINE+2]]:76: error: a reduction drops the axes that it reduces, so its result is aligned with dimension 2 of the other operand, and may differ in extent along dimension 2: x.dim(0) and x.dim(2)
        // CHECK: forgot-keepdims.cpp:[[@LINE+1]]:76: note: keep the axes, as in tg::sum<1, 2>(x, tg::keepdims): they then have extent 1 and broadcast
        o[tg::all] = 2.F * tg::sqrt(tg::sum<1, 2>(x[tg::all] * 3.F) + 1.F) * x[tg::all];
      },
      tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL void stored(tg::array<const float, 2> x, tg::array<bool, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: forgot-keepdims.cpp:[[@LINE+1]]:20: error: a reduction drops the axis that it reduces
        o[tg::all] = tg::any_of<1>(x[tg::all] > 0.F);
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void of_rows(tg::array<const float, 3> x, tg::array<const float, 2> y, tg::array<float, 3> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(2) == o.dim(2), "x and o differ in shape");
  tg::check(y.dim(0) == x.dim(0) && y.dim(1) == x.dim(1), "y has a number for every row of x");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        // CHECK: forgot-keepdims.cpp:[[@LINE+2]]:33: error: this tile is aligned with dimensions 1, 2 of the other operand, and may differ in extent along dimension 1: o.dim(0) and o.dim(1)
        // CHECK: forgot-keepdims.cpp:[[@LINE+1]]:33: note: it has the extents of dimensions 0, 1: to align it there, write t[tg::all, tg::all, tg::newaxis]
        o[tg::all] = x[tg::all] * y[tg::all];
      },
      tg::in(x), tg::in(y), tg::out(o));
}

// It would not meet this with the axis, either.
TEGULA_KERNEL void another(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        // CHECK: forgot-keepdims.cpp:[[@LINE+1]]:33: error: these tiles may differ in extent along dimension 1: o.dim(1) and y.dim(0)
        o[tg::all] = x[tg::all] - tg::max<1>(y[tg::all]);
      },
      tg::in(x), tg::in(y), tg::out(o));
}
#else
TEGULA_KERNEL tg::array<float, 2> softmax(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  const auto map = [] { return tg::index(0, 0); };
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        // STATIC: forgot-keepdims.cpp:[[@LINE+1]]:24: error: the shapes do not broadcast: x[tg::all, tg::newaxis] inserts a dimension, and tg::sum<1>(x, tg::keepdims) keeps the reduced one
        o[tg::all] = t - tg::max<1>(t);
      },
      tg::in<64, 32>(x, map), tg::out<64, 32>(o, map));
  return o;
}
#endif
