// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What shapes.h takes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const int, 1> rows) {
  tg::pallas_call(
      [](auto x, auto rows) {
        const auto t = tg::load(x.at(tg::ds<8>(0), tg::ds<16>(0)), true, 0);
        const auto i = rows[tg::all];
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: indices are integers
        (void)tg::take<0>(t, t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: indices are integers
        (void)tg::take_along_axis<0>(t, t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: there are indices for each dimension of x
        (void)tg::take_along_axis<0>(t, tg::iota<int, 8>());
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tile has no such axis: they count from 0, or back from the last, -1
        (void)tg::take<2>(t, i);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: what is repeated is there once or more
        (void)tg::repeat<0, 0>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: there is a count for each axis
        (void)tg::tiled<2>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: what is repeated is there once or more
        (void)tg::tiled<2, 0>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the extents of a shape are static
        (void)tg::reshape<-1>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the shapes have different numbers of elements
        (void)tg::reshape<64>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: reshape<8, 8>(x) takes a tile of static extents, whose number of elements is known: of run-time extents, write tg::reshape(x, m, n)
        (void)tg::reshape<64>(x[tg::all]);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the result has no such axis: they count from 0, or back from the last, -1
        (void)tg::expand_dims<3>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: only an axis of extent 1 is squeezed
        (void)tg::squeeze<0>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an axis is squeezed if its type says that its extent is 1: of one known at run time, take the element at 0, x[tg::all, 0] of axis 1
        (void)tg::squeeze<0>(x[tg::all]);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::reshape(x, 4, 2);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a scalar has no shape: tg::full<float>(value, m, n) is of one value everywhere
        (void)tg::reshape(1.0f, 4, 2);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
        (void)tg::pad<0, 1, 2>(tg::iota<int, 8>(), 2.5);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a tile has at most 6 dimensions
        (void)tg::reshape(x[tg::all], 1, 1, 1, 1, 1, 4, 2);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the value does not broadcast to the shape that it is assigned to
        (void)tg::broadcast_to(x[tg::all], x.dim(0));
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::broadcast_to(x, 4, 2);
      },
      tg::in(x), tg::in(rows));
}
