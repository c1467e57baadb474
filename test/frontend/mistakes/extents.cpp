// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile-split %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Tiles that may differ in extent where they meet.
#include <tegula/tegula.h>
namespace tg = tegula;

using row = tg::array<const float, 1>;
using matrix = tg::array<const float, 2>;

TEGULA_KERNEL void arrays(row x, row y, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        // CHECK: extents.cpp:[[@LINE+2]]:33: error: these tiles may differ in extent along dimension 0: o.dim(0) and y.dim(0)
        // CHECK: extents.cpp:[[@LINE+1]]:33: note: refuse other calls before the launch: tg::check(o.dim(0) == y.dim(0), "...")
        o[tg::all] = x[tg::all] + y[tg::all];
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void place(row x, tg::array<float, 1> o) {
  tg::pallas_call(
      // CHECK: extents.cpp:[[@LINE+2]]:39: error: the tile and the ref that it is stored to may differ in extent along dimension 0: o.dim(0) and x.dim(0)
      // CHECK: extents.cpp:[[@LINE+1]]:39: note: refuse other calls before the launch: tg::check(o.dim(0) == x.dim(0), "...")
      [](auto x, auto o) { o[tg::all] = tg::exp(x[tg::all]); }, tg::in(x), tg::out(o));
}

TEGULA_KERNEL void product(matrix x, matrix y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && y.dim(1) == o.dim(1), "o is not of the product's shape");
  tg::pallas_call(
      // CHECK: extents.cpp:[[@LINE+2]]:49: error: the operands of this product may differ in extent along dimension 0: x.dim(1) and y.dim(0)
      // CHECK: extents.cpp:[[@LINE+1]]:49: note: refuse other calls before the launch: tg::check(x.dim(1) == y.dim(0), "...")
      [](auto x, auto y, auto o) { o[tg::all] = tg::dot(x[tg::all], y[tg::all]); }, tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void one_row(matrix x, matrix y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::check(y.dim(0) == 1 && y.dim(1) == x.dim(1), "y is one row as wide as x");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        // That it is 1 is known at run time alone: y[0] is a row for all.
        // CHECK: extents.cpp:[[@LINE+2]]:33: error: these tiles may differ in extent along dimension 0: o.dim(0) and 1
        // CHECK: extents.cpp:[[@LINE+1]]:33: note: an extent of 1 broadcasts only if it is static: a block tg::in<1, ...>, a slice tg::ds<1>(i), tg::full<float, 1>(value)
        o[tg::all] = x[tg::all] + y[tg::all];
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void neighbours(row x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [](auto a, auto b, auto o) {
        // CHECK: extents.cpp:[[@LINE+2]]:33: error: these tiles may differ in extent along dimension 0: at most 64 of o.dim(0) from (64 * program_id(0)) and at most 64 of o.dim(0) from (64 * (program_id(0) + 1))
        // CHECK: extents.cpp:[[@LINE+1]]:33: note: blocks that begin at different indices have different extents at the end of an array: load all elements of each, tg::load(block, true, other), or of a window tg::load(x.at(tg::ds<64>(i)), true, other)
        o[tg::all] = a[tg::all] + b[tg::all];
      },
      tg::in<64>(x, [](auto i) { return tg::index(i); }), tg::in<64>(x, [](auto i) { return tg::index(i + 1); }),
      tg::out<64>(o, [](auto i) { return tg::index(i); }));
}

TEGULA_KERNEL void sliding(tg::array<float, 1> x, tg::s64 n) {
  tg::pallas_call(
      [=](auto x) {
        auto t = x[tg::ds(0, n)];
        // CHECK: extents.cpp:[[@LINE+1]]:9: error: a tile before and after an iteration of this loop may differ in extent along dimension 0: at most n of x.dim(0) from 0 and at most n of x.dim(0) from k [tegula-check-extents]
        for (int k = 1; k < 3; ++k)
          t = x[tg::ds(k, n)];
        x[tg::ds(0, n)] = t;
      },
      tg::inout(x));
}

TEGULA_KERNEL void one_of_two(row x, row y, tg::array<float, 1> o, bool other) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        auto t = x[tg::all];
        // CHECK: extents.cpp:[[@LINE+1]]:9: error: the tiles from the two sides of this branch may differ in extent along dimension 0: y.dim(0) and o.dim(0)
        if (other)
          t = y[tg::all];
        o[tg::all] = t; // For the same reason it may not fit in here, which is not said again.
      },
      tg::in(x), tg::in(y), tg::out(o));
}

/// The loop's last block is shorter than the others: what is added up has no one extent.
TEGULA_KERNEL void rolling(row x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = tg::zeros<float, 64>();
        // CHECK: extents.cpp:[[@LINE+2]]:9: error: a tile that this loop carries has an extent along dimension 0 that is known only inside: at most 64 of x.dim(0) from (64 * k)
        // CHECK: extents.cpp:[[@LINE+1]]:9: note: carry full blocks: tg::load(block, true, other) has all elements of one at the edge, too; or refuse partial blocks before the launch: tg::check(x.dim(0) % 64 == 0, "...")
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(0), 64); ++k)
          t += x[tg::ds<64>(64 * k)];
        o[0] = tg::sum(t);
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void chosen(row x, tg::array<tg::s64, 1> o, bool other) {
  tg::pallas_call(
      [=](auto x, auto o) {
        auto t = tg::zeros<float, 64>();
        // CHECK: extents.cpp:[[@LINE+2]]:9: error: a tile that this branch makes has an extent along dimension 0 that is known only inside: at most 64 of x.dim(0) from start
        // CHECK: extents.cpp:[[@LINE+1]]:9: note: carry full blocks: tg::load(block, true, other) has all elements of one at the edge, too
        if (other) {
          const tg::s64 start = o[1];
          t = x[tg::ds<64>(start)];
        }
        o[0] = tg::astype<tg::s64>(tg::sum(t));
      },
      tg::in(x), tg::inout(o));
}

/// What is checked in front of the loop is of the arrays that its first iteration has.
TEGULA_KERNEL void exchanged(tg::array<float, 1> x, tg::array<float, 1> y, int n) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  for (int i = 0; i < n; ++i) {
    // CHECK: extents.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: y.dim(0) and x.dim(0)
    // CHECK: note: refuse other calls before the launch, in the loop, whose iterations exchange the arrays: tg::check(y.dim(0) == x.dim(0), "...")
    tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] + 1.0f; }, tg::in(x), tg::out(y));
    auto longer = tg::empty<float>(x.dim(0) + 1);
    tg::pallas_call([](auto o) { o[tg::all] = 1.0f; }, tg::out(longer));
    x = y;
    y = longer;
  }
}

/// Both have the same length in each iteration: what is checked in front of the loop is enough.
TEGULA_KERNEL void swapped(tg::array<float, 1> x, tg::array<float, 1> y, int n) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  for (int i = 0; i < n; ++i) {
    tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] + 1.0f; }, tg::in(x), tg::out(y));
    tg::swap(x, y);
  }
}
