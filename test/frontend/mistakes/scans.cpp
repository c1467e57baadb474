// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Axes, elements and functions of scans are said at the user's line.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const bool, 1> y, tg::array<const tg::e4m3, 1> z, float c) {
  tg::pallas_call(
      [=](auto x, auto y, auto z) {
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a scan takes a tile, not a number: leave the scan out
        (void)tg::cumsum<0>(1.0f);
        const auto t = x[tg::all];
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tile has no such axis: axes count from 0, or back from the last, -1
        (void)tg::cumsum<2>(t);
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the arguments of the scan do not fit: it takes a tile and optionally tg::reverse; its axis is a template argument, tg::cumsum<1>(x)
        (void)tg::cumsum(t);
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the arguments of the scan do not fit: it takes a tile and optionally tg::reverse; its axis is a template argument, tg::cummax<1>(x)
        (void)tg::cummax(t, 1);
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::cumprod<1>(x);
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: bools have no arithmetic: count them with tg::cumsum<1>(tg::astype<int>(x))
        (void)tg::cumsum<0>(y[tg::all]);
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}astype
        (void)tg::cumsum<0>(z[tg::all]);
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the function of tg::associative_scan returns another type than it combines: return one scalar, or for tuples a tuple of as many scalars, tg::tuple(a.first + b.first, ...)
        (void)tg::associative_scan<1>(t, 0.0f, [](auto a, auto b) { return tg::tuple(a, b); });
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the arguments of tg::associative_scan do not fit: it takes a tile or a tg::tuple of tiles, a constant identity, a function of two scalars or two tuples, and optionally tg::reverse: tg::associative_scan<1>(x, 1.0f, [](auto a, auto b) { return a * b; })
        (void)tg::associative_scan<1>(t, [](auto a, auto b) { return a * b; });
        // CHECK: scans.cpp:[[@LINE+1]]:{{[0-9]+}}: error: mean, var and the like take floats only: convert with tg::astype<float>(x)
        (void)tg::cumlogsumexp<1>(tg::astype<int>(t));
      },
      tg::in(x), tg::in(y), tg::in(z));
}
