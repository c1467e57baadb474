// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Axes, keys and lengths of what is sorted are said at the user's line.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const tg::e4m3, 1> z, tg::array<const tg::s4, 1> v) {
  tg::pallas_call(
      [](auto x, auto z, auto v) {
        const auto t = x[tg::all];
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tile has no such axis: axes count from 0, or back from the last, -1
        (void)tg::sort<2>(t);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::sort(x);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the arguments of tg::sort do not fit: it takes a tile or a tg::tuple of tiles, and optionally tg::descending; the axis and the number of keys are template arguments, tg::sort<1>(x)
        (void)tg::sort(t, 1);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the number of keys is out of range: it is 1 up to the number of tiles of the tuple
        (void)tg::sort<1, 2>(t);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tiles of the sorted tuple differ in shape: broadcast them to one shape
        (void)tg::sort<1>(tg::tuple(t, tg::iota<int, 128>()));
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a key's element type has no order, as 8-bit floats: convert the key, tg::astype<float>(x)
        (void)tg::sort(z[tg::all]);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements of 4 bits cannot be sorted: convert the tile, tg::astype<float>(x)
        (void)tg::sort<0, 1>(tg::tuple(tg::astype<float>(v[tg::all]), v[tg::all]));
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the row has fewer than K elements: top_k<K> takes 1 to all of them
        (void)tg::top_k<129>(t);
        // CHECK: sorting.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a member of the sorted tuple is not a tile: load a ref by ref[tg::all]
        (void)tg::sort<1>(tg::tuple(t, 1));
      },
      tg::in<64, 128>(x, [] { return tg::index(0, 0); }), tg::in<64>(z, [] { return tg::index(0); }),
      tg::in<64>(v, [] { return tg::index(0); }));
}
