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
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the indices are not integers: convert them with tg::astype<int>(idx)
        (void)tg::take<0>(t, t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the indices are not integers: convert them with tg::astype<int>(idx)
        (void)tg::take_along_axis<0>(t, t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the indices and x differ in rank: take_along_axis takes one index per element, or use tg::take
        (void)tg::take_along_axis<0>(t, tg::iota<int, 8>());
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tile has no such axis: axes count from 0, or back from the last, -1
        (void)tg::take<2>(t, i);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the number of repetitions is not positive: it is 1 or more
        (void)tg::repeat<0, 0>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the number of counts differs from the rank: tiled<1, 3>(x) takes one for each axis
        (void)tg::tiled<2>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the number of repetitions is not positive: it is 1 or more
        (void)tg::tiled<2, 0>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an extent of reshape<...> is not a positive constant: for run-time extents, write tg::reshape(x, m, n)
        (void)tg::reshape<-1>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the shapes differ in the number of elements: the products of their extents must be equal
        (void)tg::reshape<64>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: reshape<8, 8>(x) does not take a tile of run-time extents: write tg::reshape(x, m, n)
        (void)tg::reshape<64>(x[tg::all]);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the result has no such axis: axes count from 0, or back from the last, -1
        (void)tg::expand_dims<3>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the axis has an extent other than 1: squeeze removes only axes of extent 1
        (void)tg::squeeze<0>(t);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: squeeze needs an axis whose extent is 1 in the type: if it is known at run time, take the element at 0, x[tg::all, 0] for axis 1
        (void)tg::squeeze<0>(x[tg::all]);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::reshape(x, 4, 2);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a scalar cannot be reshaped: make a tile of it, tg::full<float>(value, m, n)
        (void)tg::reshape(1.0f, 4, 2);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
        (void)tg::pad<0, 1, 2>(tg::iota<int, 8>(), 2.5);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the shape has too many dimensions: a tile has at most 6
        (void)tg::reshape(x[tg::all], 1, 1, 1, 1, 1, 4, 2);
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the value does not broadcast to the shape that it is assigned to
        (void)tg::broadcast_to(x[tg::all], x.dim(0));
        // CHECK-DAG: shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::broadcast_to(x, 4, 2);
      },
      tg::in(x), tg::in(rows));
}
