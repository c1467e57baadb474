// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// Ranks and extents that nothing can have.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: extents-of-types.cpp:[[@LINE+1]]:46: error: the rank is out of range: an array has 0 to 6 dimensions
TEGULA_KERNEL void rank(tg::array<float, -1> x) {}

TEGULA_KERNEL void parts(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        // CHECK: extents-of-types.cpp:[[@LINE+1]]:15: error: the size of a window is not positive: write ds<64>(start), or for a size known at run time ds(start, size)
        o[tg::ds<0>(0)] = 1;
        // CHECK: extents-of-types.cpp:[[@LINE+1]]:15: error: the size of a window is not positive: write ds<64>(start), or for a size known at run time ds(start, size)
        o[tg::ds<-4>(4)] = 1;
        // CHECK: extents-of-types.cpp:[[@LINE+1]]:24: error: tg::zeros<float, 64, 64>() and tg::full<float, 64, 64>(value) take compile-time constant extents
        o[0] = tg::sum(tg::full<float, 0>(1.0f));
        // CHECK: extents-of-types.cpp:[[@LINE+1]]:24: error: tg::zeros<float, 64, 64>() and tg::full<float, 64, 64>(value) take compile-time constant extents
        o[0] = tg::sum(tg::zeros<float, 64, -1>());
        // CHECK: extents-of-types.cpp:[[@LINE+1]]:24: error: tg::iota<int, 64>() counts 0, 1, ..., 63
        o[0] = tg::sum(tg::iota<float, 0>());
      },
      tg::out(o));
}

TEGULA_KERNEL void blocks(tg::array<float, 3> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: extents-of-types.cpp:[[@LINE+1]]:20: error: the tile has too many elements: at most 2^40
        o[0] = tg::sum(x[tg::all]);
      },
      tg::in<2147483647, 2147483647, 2147483647>(x, [] { return tg::index(0, 0, 0); }), tg::out(o));
}

// The edge of what is allowed.
TEGULA_KERNEL void large(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; },
                  tg::in<1048576, 1048576>(x, [] { return tg::index(0, 0); }),
                  tg::out<1048576, 1048576>(o, [] { return tg::index(0, 0); }));
}

TEGULA_KERNEL void scalar(tg::array<float, 0> o) {
  // CHECK: extents-of-types.cpp:[[@LINE+1]]:32: error: there are more indices than dimensions; a ref or value of rank 0 takes none, x[]
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
