// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What elements that are packed to bytes cannot do, each with its remedy.
// RUN: not tegulac --emit=tile -o - %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void windows(tg::array<const tg::s4, 2> weights, tg::array<float, 2> o, tg::array<const int, 1> index, int n) {
  tg::pallas_call(
      [=](auto x, auto o, auto index) {
        // CHECK: packed-errors.cpp:[[@LINE+1]]:54: error: weights packs two elements per byte along its last dimension, but the start of this window is not known to be even: write a multiple of 2, tg::ds<64>(2 * i), promise one, tg::multiple_of<2>(i), or take the whole dimension, tg::all [tegula-check-packed]
        o[tg::all, tg::ds<4>(0)] = tg::astype<float>(x[tg::all, tg::ds<4>(n)]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:54: error: weights packs two elements per byte along its last dimension, but the start of this window is not known to be even
        o[tg::all, tg::ds<4>(4)] = tg::astype<float>(x[tg::all, tg::ds<4>(3)]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:54: error: weights packs two elements per byte along its last dimension, but the size of this window is not known to be even: write a multiple of 2, which is clipped to the array, promise one, tg::multiple_of<2>(n), or take the whole dimension, tg::all [tegula-check-packed]
        o[tg::all, tg::ds<5>(8)] = tg::astype<float>(x[tg::all, tg::ds<5>(2)]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:55: error: weights packs two elements per byte along its last dimension, but the size of this window is not known to be even
        o[tg::all, tg::ds(16, n)] = tg::astype<float>(x[tg::all, tg::ds(2, n)]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:43: error: weights packs two elements per byte along its last dimension, but this takes one element of it: take a window that begins at an even index, tg::ds<2>(2 * i), or the whole dimension, tg::all [tegula-check-packed]
        o[tg::all, 7] = tg::astype<float>(x[tg::all, 6]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:40: error: weights packs two elements per byte along its last dimension, but this view moves that dimension: transpose the loaded tile, tg::transpose(x[tg::all]) [tegula-check-packed]
        o[tg::all] = tg::astype<float>(tg::transpose_ref(x)[tg::all]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:40: error: weights packs two elements per byte along its last dimension, but indices select single elements of it, which have no addresses: index the other dimensions, or load all of it and take elements of the tile, tg::take<1>(x[tg::all], i) [tegula-check-packed]
        o[tg::all] = tg::astype<float>(x[tg::all, index[tg::all]]);
      },
      tg::in(weights), tg::inout(o), tg::in(index));
}

TEGULA_KERNEL void stores(tg::array<const float, 2> x, tg::array<tg::e2m1, 2> o, tg::array<const int, 1> index) {
  tg::pallas_call(
      [](auto x, auto o, auto index) {
        // CHECK: packed-errors.cpp:[[@LINE+1]]:9: error: o packs two elements per byte along its last dimension, but a window with a step takes single elements of it: load all of it and slice the tile, x[tg::all][tg::ds<32>(0, 2)] [tegula-check-packed]
        o[tg::all, tg::ds<4>(0, 2)] = tg::astype<tg::e2m1>(x[tg::all, tg::ds<4>(0)]);
        o[tg::ds<4>(0, 2), tg::ds<4>(0)] = tg::astype<tg::e2m1>(x[tg::ds<4>(0), tg::ds<4>(0)]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:36: error: o packs two elements per byte along its last dimension, but indices select single elements of it, which have no addresses: index the other dimensions, and store all of it [tegula-check-packed]
        o[tg::all, index[tg::all]] = tg::astype<tg::e2m1>(x[tg::all]);
        // CHECK: packed-errors.cpp:[[@LINE+1]]:9: error: o packs two elements per byte along its last dimension, but the start of this window is not known to be even
        o[tg::all, tg::ds<4>(1)] = tg::astype<tg::e2m1>(x[tg::all, tg::ds<4>(1)]);
      },
      tg::in(x), tg::inout(o), tg::in(index));
}

TEGULA_KERNEL void explicit_level(tg::array<const tg::u4, 2> weights, tg::array<float, 2> o) {
  // CHECK: packed-errors.cpp:[[@LINE+1]]:3: error: weights packs two elements per byte, and a tg::kernel cannot take such an array: use tg::pallas_call, or copy its bytes, as an array of tg::u8 [tegula-check-packed]
  tg::kernel({.grid = {}, .threads = {"wg", 1}}, [=] { o[tg::ds<64>(0), tg::ds<64>(0)] = tg::astype<float>(weights[tg::ds<64>(0), tg::ds<64>(0)]); });
}

TEGULA_KERNEL void shared(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.grid = {}, .threads = {"wg", 1}}, [=] {
    // CHECK: packed-errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: shared memory cannot hold elements of 4 bits, which are packed in arrays only: allocate tg::s8, or the dtype that they are converted to [tegula-check-packed]
    tg::smem<tg::s4, 64, 64> kept;
    kept[tg::all] = tg::astype<tg::s4>(x[tg::ds<64>(0), tg::ds<64>(0)]);
    o[tg::ds<64>(0), tg::ds<64>(0)] = tg::astype<float>(kept[tg::all]);
  });
}
