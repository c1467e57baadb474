// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What C++ finds of indices, updates and shapes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<int, 1> x, tg::array<const tg::u8, 1> y, tg::array<const int, 1> idx,
                     tg::array<tg::s16, 1> z, tg::array<float, 2> m) {
  tg::pallas_call(
      [=](auto x, auto y, auto z, auto idx, auto m) {
        // CHECK: indices.cpp:[[@LINE+2]]:13: error: this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
        // CHECK: indices.cpp:[[@LINE+1]]:13: error: this element type has no atomic updates: keep counts and sums in s32, u32, s64, u64, f16, bf16, f32 or f64
        tg::atomic_add(y.at(0), 1);
        // CHECK: indices.cpp:[[@LINE+1]]:13: error: this element type has no atomic updates: keep counts and sums in s32, u32, s64, u64, f16, bf16, f32 or f64
        tg::atomic_add(z.at(0), 1);
        // CHECK: indices.cpp:[[@LINE+1]]:13: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
        tg::atomic_add(x.at(0), 1.5f);
        // CHECK: indices.cpp:[[@LINE+1]]:13: error: bitwise atomic updates take integers of 32 or 64 bits only: use s32, u32, s64 or u64
        tg::atomic_or(m.at(0, 0), 1.0f);
        // CHECK: indices.cpp:[[@LINE+1]]:13: error: a ref is a place, not a value: load it, ref[tg::all]
        tg::atomic_and(x, x);
        const auto t = idx[tg::all];
        // CHECK: indices.cpp:[[@LINE+1]]:13: error: a mask must have bool elements: compare first, mask != 0
        tg::atomic_max(x.at(t), 1, t);
        // CHECK: indices.cpp:[[@LINE+1]]:10: error: there are more indices than dimensions; a ref or value of rank 0 takes none, x[]
        x[t, t] = 1;
        // CHECK: indices.cpp:[[@LINE+1]]:28: error: the tile has no such axis: axes count from 0, or back from the last, -1
        const auto u = tg::flip<1>(t);
        // CHECK: indices.cpp:[[@LINE+1]]:28: error: reshape<8, 8>(x) does not take a tile of run-time extents: write tg::reshape(x, m, n)
        const auto w = tg::reshape<4>(t);
        const auto s = m[tg::ds<4>(0), tg::ds<6>(0)];
        // CHECK: indices.cpp:[[@LINE+1]]:28: error: the shapes differ in the number of elements: the products of their extents must be equal
        const auto r = tg::reshape<5, 5>(s);
        // CHECK: indices.cpp:[[@LINE+1]]:19: error: the extent along the axis is not static: use a block tg::in<64>(x, map), or a window x[tg::ds<64>(i)]
        (void)tg::split<0, 2>(t);
        // CHECK: indices.cpp:[[@LINE+1]]:28: error: the axis has an extent other than 1: squeeze removes only axes of extent 1
        const auto q = tg::squeeze<0>(s);
        // CHECK: indices.cpp:[[@LINE+1]]:28: error: a ref is a place, not a value: load it, ref[tg::all]
        const auto v = tg::flip<0>(m);
      },
      tg::inout(x), tg::in(y), tg::inout(z), tg::in(idx), tg::inout(m));
}
