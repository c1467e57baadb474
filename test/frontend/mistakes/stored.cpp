// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What has no arithmetic of its own and is not multiplied either.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::e8m0, 2> x, tg::array<tg::e8m0, 2> y, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:18: error: 8-bit floats (which tg::dot multiplies), e8m0 and elements of 4 bits are moved and converted, and do not compute: convert the tile, tg::astype<float>(tile)
        (void)(t * t);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:26: error: dot multiplies no e8m0 and no elements of 4 bits: convert them, tg::astype<tg::bf16>(tile)
        o[tg::all] = tg::dot(t, t);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:20: error: there are no scalars of elements that do not compute: convert a tile of one element, which broadcasts
        y[tg::all] = x[0, 0];
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:26: error: tg::full makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, tg::astype<tg::s4>(tg::full<int, 64, 64>(3)), of run-time extents tg::astype<tg::s4>(tg::full<int>(3, m, n))
        y[tg::all] = tg::full<tg::e8m0>(3, y.dim(0), y.dim(1));
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: tg::full makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert
        (void)tg::full<tg::s4, 64, 64>(3);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: tg::full_like makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, tg::astype<tg::e4m3>(tg::full_like(tg::astype<float>(tile), 1))
        (void)tg::full_like(t, 1);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: tg::zeros makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, tg::astype<tg::e4m3>(tg::zeros<float>(m, n))
        (void)tg::zeros<tg::u4>(y.dim(0), y.dim(1));
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: tg::broadcasted_iota makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, tg::astype<tg::u4>(tg::broadcasted_iota<int, 1>(m, n))
        (void)tg::broadcasted_iota<tg::u4, 1>(y.dim(0), y.dim(1));
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: tg::broadcasted_iota makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert
        (void)tg::broadcasted_iota<tg::e2m1, 1, 64, 64>();
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: tg::iota_like makes no elements that do not compute (8-bit floats, e8m0, 4 bits): convert, tg::astype<tg::u4>(tg::iota_like<int, 1>(tile))
        (void)tg::iota_like<tg::s4, 1>(t);
        // CHECK-DAG: stored.cpp:[[@LINE+1]]:19: error: pad takes a number, which it converts to the elements of the tile: tg::pad<1, 2, 0>(x, 0)
        (void)tg::pad<1, 1, 1>(t, tg::e8m0{0});
      },
      tg::in(x), tg::out(y), tg::inout(o));
}
