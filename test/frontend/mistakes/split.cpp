// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Tiles that are not split.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        const auto t = x[tg::all];
        // CHECK-DAG: split.cpp:[[@LINE+1]]:19: error: the number of parts does not divide the extent of the axis: for unequal parts, take x[tg::ds<48>(0)] and x[tg::ds<16>(48)]
        (void)tg::split<1, 3>(t);
        // CHECK-DAG: split.cpp:[[@LINE+1]]:19: error: split makes one to four parts: for more, tg::static_for<8>([&](auto i) { x[tg::ds<16>(16 * i)]; }) takes one after the other
        (void)tg::split<1, 8>(t);
        // CHECK-DAG: split.cpp:[[@LINE+1]]:19: error: the tile has no such axis: axes count from 0, or back from the last, -1
        (void)tg::split<2, 2>(t);
        // CHECK-DAG: split.cpp:[[@LINE+1]]:19: error: the extent along the axis is not static: use a block tg::in<64>(x, map), or a window x[tg::ds<64>(i)]
        (void)tg::split<0, 2>(t);
      },
      tg::in<tg::whole, 64>(x, [] { return tg::index(0, 0); }));
}
