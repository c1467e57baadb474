// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: error: {{.*}}a reduction takes a tile, not a number: leave the reduction out
// CHECK: reductions.cpp:[[@LINE+1]]:
auto number() { return tg::max(1.0f); }

void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
        // CHECK: reductions.cpp:[[@LINE+1]]:
        (void)tg::sum<0>(x);
        // CHECK: error: {{.*}}the tile has no such axis: axes count from 0, or back from the last, -1
        // CHECK: reductions.cpp:[[@LINE+1]]:
        (void)tg::sum<2>(t);
        // CHECK: error: {{.*}}the tile has no such axis: axes count from 0, or back from the last, -1
        // CHECK: reductions.cpp:[[@LINE+1]]:
        (void)tg::min<0, -3>(t, tg::keepdims);
        // CHECK: error: {{.*}}an axis of the reduction is named twice: name each axis once
        // CHECK: reductions.cpp:[[@LINE+1]]:
        (void)tg::prod<1, -1>(t);
        // CHECK: error: {{.*}}bools have no arithmetic: count them with tg::sum(tg::astype<int>(x))
        // CHECK: reductions.cpp:[[@LINE+1]]:
        (void)tg::sum(t > 0);
        // CHECK: error: {{.*}}any_of and all_of take bools only: compare first, x != 0
        // CHECK: reductions.cpp:[[@LINE+1]]:
        (void)tg::any_of<1>(t);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}tg::max takes one tile: reduce along an axis by tg::max<1>(x); the greater of two is tg::maximum(a, b)
        (void)tg::max(t, t);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}tg::min takes one tile: reduce along an axis by tg::min<1>(x); the less of two is tg::minimum(a, b)
        (void)tg::min(t, 0.0f);
        // CHECK: reductions.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}axes are template arguments, tg::sum<1>(x)
        (void)tg::sum(t, 1);
      },
      tg::in(x), tg::out(o));
}
