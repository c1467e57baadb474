// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What is assigned, and to what.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o, tg::array<int, 1> p, tg::array<bool, 1> q) {
  tg::pallas_call(
      [](auto o, auto p, auto q) {
        auto t = o[tg::ds<8>(0)];
        const auto u = t;
        // CHECK: assigned-values.cpp:[[@LINE+1]]:25: error: a part of a tile, or a temporary, is a value and cannot be assigned: choose per element, tg::where(tg::iota<int, 64>() < n, a, b), or store the part to an array
        t[tg::ds<4>(0)] = 1.F;
        // CHECK: assigned-values.cpp:[[@LINE+1]]:25: error: a part of a tile, or a temporary, is a value and cannot be assigned: choose per element, tg::where(tg::iota<int, 64>() < n, a, b), or store the part to an array
        t[tg::ds<4>(0)] = t[tg::ds<4>(4)];
        // CHECK: assigned-values.cpp:[[@LINE+1]]:25: error: a part of a tile, or a temporary, is a value and cannot be assigned: choose per element, tg::where(tg::iota<int, 64>() < n, a, b), or store the part to an array
        t[tg::ds<4>(0)] += 1.F;
        // CHECK: assigned-values.cpp:[[@LINE+1]]:11: error: this place is read-only
        u = t;
        // CHECK: assigned-values.cpp:[[@LINE+1]]:11: error: this place is read-only
        u = 2;
        // CHECK: assigned-values.cpp:[[@LINE+1]]:20: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
        p[tg::all] = 2.5;
        // CHECK: assigned-values.cpp:[[@LINE+1]]:20: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
        q[tg::all] = 1;
        // CHECK: assigned-values.cpp:[[@LINE+1]]:41: error: bools have no arithmetic: convert them with tg::astype<...>(tile)
        o[tg::all] = (o[tg::all] > 0.F) * o[tg::all];
      },
      tg::inout(o), tg::inout(p), tg::inout(q));
}

TEGULA_KERNEL void returns(tg::array<const float, 1> x) {
  // CHECK: assigned-values.cpp:[[@LINE+1]]:7: error: the body of a launch cannot return a value: store it, o[tg::all] = value
  tg::pallas_call([](auto x) { return x[tg::all]; }, tg::in(x));
  // CHECK: assigned-values.cpp:[[@LINE+1]]:7: error: the body of a launch cannot return a value: store it, o[tg::all] = value
  tg::kernel([=] { return x[0]; });
}

TEGULA_KERNEL void blocks(tg::array<const float, 1> x, tg::array<float, 1> o) {
  const auto map = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = x[tg::all]; },
      // CHECK: assigned-values.cpp:[[@LINE+1]]:11: error: the block has another rank than its array: give one extent per dimension; tg::whole and tg::squeezed count
      tg::in<64, 64>(x, map), tg::out<64>(o, map));
}
