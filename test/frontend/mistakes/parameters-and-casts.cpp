// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What bodies take, sizes, axes and conversions.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 1> o, int axis) {
  // CHECK: parameters-and-casts.cpp:[[@LINE+1]]:7: error: a body's parameters are refs to the blocks of the specs, not arrays: write auto, or the type of the block, tg::gmem<const float, 64>
  tg::pallas_call([](tg::array<float, 1> o) { o[0] = 1; }, tg::out(o));
  // CHECK: parameters-and-casts.cpp:[[@LINE+1]]:29: error: a size or an index is an integer: tg::cdiv(n, 64) is n / 64, rounded up
  tg::pallas_call({.grid = {o.dim(0) / 64.0}}, [](auto o) { o[tg::all] = 1; }, tg::out(o));
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: parameters-and-casts.cpp:[[@LINE+1]]:22: error: a reduction takes a tile, then perhaps tg::keepdims; its axes are constants in angle brackets: tg::sum<1>(x)
        o[tg::all] = tg::max<axis>(x[tg::all]);
        // CHECK: parameters-and-casts.cpp:[[@LINE+1]]:22: error: elements are converted by tg::astype<float>(t)
        o[tg::all] = (float)o[tg::all];
        // CHECK: parameters-and-casts.cpp:[[@LINE+1]]:22: error: elements are converted by tg::astype<float>(t)
        o[tg::all] = static_cast<tg::bf16>(o[tg::all]);
      },
      tg::in(x), tg::inout(o));
}
