// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Places, tiles and numbers, one for another.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = o[tg::all];
        // CHECK: places-and-values.cpp:[[@LINE+1]]:14: error: an element of a tile is a value and cannot be assigned: select per element, tg::where(tg::iota<int, 64>() == i, a, b), or store it to an array
        t[0] = 1.F;
        // CHECK: places-and-values.cpp:[[@LINE+1]]:22: error: an index is an integer, tg::all, tg::ds, tg::newaxis or a tile of integers, one per dimension: to select by a mask, write tg::load(x, mask, 0) or tg::store(o, value, mask)
        o[tg::all] = x[tg::iota<int, 64>() > 3];
        // CHECK: places-and-values.cpp:[[@LINE+1]]:15: error: a ref is a place, not a value: load it, ref[tg::all], or one element of it, ref[i]
        float s = x;
        // CHECK: places-and-values.cpp:[[@LINE+1]]:11: error: a ref is a place, not a value: load it, ref[tg::all], or one element of it, ref[i]
        s += o;
        if (s > 0)
          // CHECK: places-and-values.cpp:[[@LINE+1]]:15: error: a tile is not a number: pick an element, t[0], or reduce it, tg::sum(t)
          s = t;
        // CHECK: places-and-values.cpp:[[@LINE+1]]:27: error: the shape or the dtype of this tile is not that of the target type: write auto, or convert it, tg::astype<float>(t)
        tg::tile<int, 64> u = t;
        // CHECK: places-and-values.cpp:[[@LINE+1]]:25: error: a tile cannot be iterated over: compute with all elements at once, or loop over the indices, for (int i = 0; i < n; ++i), and read x[i]
        for (float each : t)
          s += each;
      },
      tg::in(x), tg::inout(o));
}
