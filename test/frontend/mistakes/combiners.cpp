// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Reductions by functions that do not fit are said at the user's line.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "a result for each row");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        const auto add = [](auto a, auto b) { return a + b; };
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:22: error: the arguments of tg::reduce do not fit: it takes a tile or a tg::tuple of tiles, a constant identity, a function of two scalars or two tuples, and optionally tg::keepdims: tg::reduce<1>(x, 1.0f, [](auto a, auto b) { return a * b; })
        o[tg::all] = tg::reduce<1>(t, add);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:22: error: a ref is a place, not a value: load it, ref[tg::all]
        o[tg::all] = tg::reduce<1>(x, 0.0f, add);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:26: error: the tile has no such axis: axes count from 0, or back from the last, -1
        o[tg::all] = tg::reduce<2>(t, 0.0f, add);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:26: error: the function of tg::reduce takes two scalars, or two tuples of them: [](auto a, auto b) { return a + b; }
        o[tg::all] = tg::reduce<1>(t, 0.0f, [](auto a) { return a; });
        const auto first = [](auto a, auto) { return a.first; };
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:26: error: the function of tg::reduce returns another type than it combines: return one scalar, or for tuples a tuple of as many scalars, tg::tuple(a.first + b.first, ...)
        o[tg::all] = tg::reduce<1>(tg::tuple(t, t), tg::tuple(0, 0), first).first;
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:20: error: the element types differ, and an assignment does not convert: write tg::astype<...>(value)
        o[tg::all] = tg::argmax<1>(t);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:15: error: the axis to search stands in angle brackets, tg::argmax<1>(x); without one, tg::argmax(x) searches the whole tile; tg::keepdims may follow
        (void)tg::argmax(t, 1);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:{{[0-9]+}}: error: argmax and the like take at most one axis: tg::argmax<1>(x), or none for the whole tile
        (void)tg::argmax<0, 1>(t);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:{{[0-9]+}}: error: argmax and the like take a tile: search along an axis by tg::argmax<1>(x)
        (void)tg::argmax<0>(1.0f);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:{{[0-9]+}}: error: bools have no order: use tg::any_of<1>(x), or convert, tg::astype<int>(x)
        (void)tg::argmin<0>(t < 0);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:{{[0-9]+}}: error: mean, var and the like take a tile, not a number: leave the reduction out
        (void)tg::norm(1.0f);
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tiles of the reduced tuple differ in shape: broadcast them to one shape
        (void)tg::reduce<0>(tg::tuple(t, tg::iota<float, 8>()), tg::tuple(0, 0), [](auto a, auto b) { return a; });
        // CHECK-DAG: combiners.cpp:[[@LINE+1]]:26: error: mean, var and the like take floats only: convert with tg::astype<float>(x)
        o[tg::all] = tg::mean<1>(tg::astype<int>(t));
      },
      tg::in(x), tg::out(o));
}
