// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Axes, operands and inner dimensions that do not fit are said at the user's line.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tile has no such axis: axes count from 0, or back from the last, -1
        (void)tg::sum<2>(t);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an axis of the reduction is named twice: name each axis once
        (void)tg::max<1, -1>(t);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::min(x);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the arguments of the reduction do not fit: it takes a tile and optionally tg::keepdims; axes are template arguments, tg::sum<1>(x)
        (void)tg::sum(t, 1);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the arguments of the reduction do not fit: it takes a tile and optionally tg::keepdims; axes are template arguments, tg::min<1>(x)
        (void)tg::min(t, -1, tg::keepdims);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the arguments of the reduction do not fit: it takes a tile and optionally tg::keepdims; axes are template arguments, tg::any_of<1>(x)
        (void)tg::any_of<0>(t > 0, true);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tg::max takes one tile: reduce along an axis by tg::max<1>(x); the greater of two is tg::maximum(a, b)
        (void)tg::max(t, 1);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the factors of dot differ in K: a is (..., M, K) and b is (..., K, N)
        o[tg::all] = tg::dot(t, t);
      },
      tg::in<64, 128>(x, [] { return tg::index(0, 0); }), tg::out<64, 128>(o, [] { return tg::index(0, 0); }));
}
