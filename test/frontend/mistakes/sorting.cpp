// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Axes, keys and lengths of what is sorted are said at the user's line.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const tg::e4m3, 1> z, tg::array<const tg::s4, 1> v) {
  tg::pallas_call(
      [](auto x, auto z, auto v) {
        const auto t = x[tg::all];
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tile has no such axis: they count from 0, or back from the last, -1
        (void)tg::sort<2>(t);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::sort(x);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tg::sort takes a tile, or a tg::tuple of tiles, then perhaps tg::descending; the axis and the number of keys are template arguments: tg::sort<1>(x)
        (void)tg::sort(t, 1);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: of a tuple, one or more of the first tiles are keys
        (void)tg::sort<1, 2>(t);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tiles of a tuple that is sorted have one shape
        (void)tg::sort<1>(tg::tuple(t, tg::iota<int, 128>()));
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements that do not compute, as 8-bit floats, are not compared: the key is tg::astype<float>(x)
        (void)tg::sort(z[tg::all]);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements of 4 bits are not sorted: convert the tile, tg::astype<float>(x)
        (void)tg::sort<0, 1>(tg::tuple(tg::astype<float>(v[tg::all]), v[tg::all]));
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: top_k<K> takes K of K elements or more
        (void)tg::top_k<129>(t);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the members of a tuple that is sorted are tiles: what ref[...] names, ref[tg::all], is one
        (void)tg::sort<1>(tg::tuple(t, 1));
      },
      tg::in<64, 128>(x, [] { return tg::index(0, 0); }), tg::in<64>(z, [] { return tg::index(0); }),
      tg::in<64>(v, [] { return tg::index(0); }));
}
