// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula/language
// Tiles of different element types: each message names the types. The same mistake at a second line adds no message of
// another kind.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<const tg::f16, 1> y, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == y.dim(0), "x, y and o differ in length");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        auto t = x[tg::all];
        // CHECK: element-types.cpp:[[@LINE+2]]:11: error: the tiles differ in element type: convert one with tg::astype<...>(tile)
        // CHECK: element-types.cpp:[[@LINE+1]]:11: note: their types: tg::tile<float, any>, tg::tile<tg::f16, any>
        t += y[tg::all];
        t += y[tg::all];
        o[tg::all] = x[tg::all] * y[tg::all];
        t -= y[tg::all];
        o[tg::all] = tg::maximum(x[tg::all], y[tg::all]);
        o[tg::all] = tg::where(x[tg::all] > 0, x[tg::all], y[tg::all]);
        // CHECK: element-types.cpp:[[@LINE+2]]:20: error: the element types differ, and an assignment does not convert: write tg::astype<...>(value)
        // CHECK: element-types.cpp:[[@LINE+1]]:20: note: their types: tg::tile<tg::f16, any>, tg::tile<float, any>
        o[tg::all] = y[tg::all];
        // CHECK: element-types.cpp:[[@LINE+2]]:13: error: the element types differ, and a store does not convert: write tg::astype<...>(value)
        // CHECK: element-types.cpp:[[@LINE+1]]:13: note: their types: tg::tile<tg::f16, any>, tg::ref<float, tg::memory_space::gmem, any>
        tg::store(o, y[tg::all]);
      },
      tg::in(x), tg::in(y), tg::out(o));
}
