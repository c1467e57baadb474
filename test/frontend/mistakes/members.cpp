// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Members that arrays, blocks, tiles and shared memory have elsewhere.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  // CHECK: members.cpp:[[@LINE+1]]:18: error: the extent along an axis is x.dim(axis)
  const auto n = x.shape(0);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: members.cpp:[[@LINE+1]]:24: error: the extent along an axis is x.dim(axis)
        const auto n = x.shape(0);
        // CHECK: members.cpp:[[@LINE+1]]:24: error: the extent along an axis is x.dim(axis)
        const auto m = t.shape(1);
        // CHECK: members.cpp:[[@LINE+1]]:24: error: the extent along an axis is x.dim(axis)
        const auto k = x.shape[1];
        // CHECK: members.cpp:[[@LINE+1]]:44: error: there is no at: a tile is a value, so a slice of it is not a ref: slice the ref, x.at(...), or the transposed one, tg::transpose_ref(x).at(...)
        const auto part = tg::transpose(t).at(0);
      },
      tg::in(x), tg::out(o));
  tg::kernel([=] {
    tg::smem<float, 64, 64> s;
    // CHECK: members.cpp:[[@LINE+1]]:41: error: there is no T: transpose the tile, tg::transpose(x[tg::all]), or the ref, tg::transpose_ref(x)
    o[tg::ds<64>(0), tg::ds<64>(0)] = s.T()[tg::all];
    // CHECK: members.cpp:[[@LINE+1]]:22: error: there is no size: the extent along an axis is x.dim(axis)
    const auto n = s.size();
    // As the messages say:
    o[tg::ds<64>(0), tg::ds<64>(0)] = tg::transpose(s[tg::all]) + tg::transpose_ref(s)[tg::all];
  });
}
