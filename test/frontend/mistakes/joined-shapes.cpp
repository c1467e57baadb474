// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What shapes.h takes, of several tiles and of padded ones.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        const auto t = tg::load(x.at(tg::ds<8>(0), tg::ds<16>(0)), true, 0);
        // CHECK-DAG: joined-shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tiles differ in rank: add dimensions by tg::expand_dims<0>(x)
        (void)tg::concatenate<0>(t, tg::iota<float, 8>());
        // CHECK-DAG: joined-shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tiles differ in element type: convert one with tg::astype<...>(tile)
        (void)tg::concatenate<0>(t, tg::astype<int>(t));
        // CHECK-DAG: joined-shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: concatenate has no arguments: pass one or more tiles
        (void)tg::concatenate<0>();
        // CHECK-DAG: joined-shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: stack has no arguments: pass one or more tiles
        (void)tg::stack<0>();
        // CHECK-DAG: joined-shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the number of padding elements is negative: it is 0 or more
        (void)tg::pad<0, -1, 0>(t, 0);
        // CHECK-DAG: joined-shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the indices are not integers: convert them with tg::astype<int>(idx)
        (void)tg::one_hot<float, 4>(t);
        // CHECK-DAG: joined-shapes.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::flip<0>(x);
      },
      tg::in(x));
}
