// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile-split %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// RUN: tegulac --emit=tile-split -DAS_SAID %s -o /dev/null
// Slices of run-time size that meet what is longer at the end of an array; what the messages say compiles.
#include <tegula/tegula.h>
namespace tg = tegula;

using row = tg::array<const float, 1>;

TEGULA_KERNEL void with_zeros(row x, tg::array<float, 1> o, tg::s64 n) {
#ifdef AS_SAID
  tg::check(n <= x.dim(0), "x is shorter than n");
  tg::check(n <= o.dim(0), "o is shorter than n");
#endif
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: slices.cpp:[[@LINE+4]]:47: error: these tiles may differ in extent along dimension 0: n and at most n of x.dim(0) from 0
        // CHECK: slices.cpp:[[@LINE+3]]:47: note: refuse other calls before the launch: tg::check(n <= x.dim(0), "...")
        // CHECK: slices.cpp:[[@LINE+2]]:25: error: the tile and the ref that it is stored to may differ in extent along dimension 0: at most n of o.dim(0) from 0 and n
        // CHECK: slices.cpp:[[@LINE+1]]:25: note: refuse other calls before the launch: tg::check(n <= o.dim(0), "...")
        o[tg::ds(0, n)] = tg::zeros<float>(n) + x[tg::ds(0, n)];
      },
      tg::in(x), tg::inout(o));
}

TEGULA_KERNEL void moved(row x, tg::array<float, 1> o, tg::s64 n) {
#ifdef AS_SAID
  tg::check(n <= o.dim(0) && n >= 0 && n <= x.dim(0) - n, "the arrays are too short for n");
#endif
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: slices.cpp:[[@LINE+2]]:25: error: the tile and the ref that it is stored to may differ in extent along dimension 0: at most n of o.dim(0) from 0 and at most n of x.dim(0) from n
        // CHECK: slices.cpp:[[@LINE+1]]:25: note: refuse other calls before the launch: tg::check(n <= o.dim(0) && n >= 0 && n <= x.dim(0) - n, "...")
        o[tg::ds(0, n)] = x[tg::ds(n, n)];
      },
      tg::in(x), tg::inout(o));
}

TEGULA_KERNEL void rolling(row x, tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      [=](auto x, auto o) {
#ifdef AS_SAID
        auto t = tg::zeros<float, 64>();
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(0), n); ++k)
          t += tg::load(x.at(tg::ds<64>(n * k)), tg::iota<tg::s64, 64>() < n, 0);
#else
        auto t = tg::zeros<float>(n);
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(0), n); ++k)
          // CHECK: slices.cpp:[[@LINE+2]]:13: error: these tiles may differ in extent along dimension 0: n and at most n of x.dim(0) from (n * k)
          // CHECK: slices.cpp:[[@LINE+1]]:13: note: a slice of run-time size is clipped at the end of its array: take a static one with a mask, as in tg::load(x.at(tg::ds<64>(start)), tg::iota<tg::s64, 64>() < size, other)
          t += x[tg::ds(n * k, n)];
#endif
        o[0] = tg::sum(t);
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void chosen(row x, tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      [=](auto x, auto o) {
#ifdef AS_SAID
        auto t = tg::zeros<float, 64>();
        if (n > 3)
          t = tg::load(x.at(tg::ds<64>(tg::astype<tg::s64>(x[0]))), tg::iota<tg::s64, 64>() < n, 0);
#else
        auto t = x[tg::all];
        // CHECK: slices.cpp:[[@LINE+2]]:9: error: the tiles from the two sides of this branch may differ in extent along dimension 0: at most n of x.dim(0) from start and x.dim(0)
        // CHECK: slices.cpp:[[@LINE+1]]:9: note: a slice of run-time size is clipped at the end of its array
        if (n > 3) {
          const tg::s64 start = tg::astype<tg::s64>(x[0]);
          t = x[tg::ds(start, n)];
        }
#endif
        o[0] = tg::sum(t);
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void constant_size(row x, tg::array<float, 1> o, tg::s64 k) {
  tg::pallas_call(
      [=](auto x, auto o) {
#ifdef AS_SAID
        o[0] = tg::sum(tg::load(x.at(tg::ds<64>(k)), true, 0) + tg::zeros<float, 64>());
#else
        // CHECK: slices.cpp:[[@LINE+2]]:41: error: these tiles may differ in extent along dimension 0: at most 64 of x.dim(0) from k and 64
        // CHECK: slices.cpp:[[@LINE+1]]:41: note: write the constant size of a slice in angle brackets, tg::ds<64>(start); tg::load(slice, true, other) then has all of its elements
        o[0] = tg::sum(x[tg::ds(k, 64)] + tg::zeros<float>(64));
#endif
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void one(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::check(y.dim(0) == 1 && y.dim(1) == x.dim(1), "y is one row as wide as x");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
#ifdef AS_SAID
        o[tg::all] = x[tg::all] + y[tg::ds<1>(0)] + tg::zeros<float, 1>();
#else
        // CHECK: slices.cpp:[[@LINE+2]]:33: error: these tiles may differ in extent along dimension 0: o.dim(0) and 1
        // CHECK: slices.cpp:[[@LINE+1]]:33: note: an extent of 1 broadcasts only if it is static: a block tg::in<1, ...>, a slice tg::ds<1>(i), tg::full<float, 1>(value)
        o[tg::all] = x[tg::all] + y[tg::all];
#endif
      },
      tg::in(x), tg::in(y), tg::out(o));
}

// A dim of the arrays behind blocks of blocks.
TEGULA_KERNEL void of_blocks(row x, tg::array<float, 1> o, tg::s64 n) {
#ifdef AS_SAID
  tg::check(o.dim(0) == x.dim(0), "x and o differ in length");
#endif
  const auto map = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {4}},
      [=](auto x, auto o) {
        // CHECK: slices.cpp:[[@LINE+2]]:25: error: the tile and the ref that it is stored to may differ in extent along dimension 0
        // CHECK: slices.cpp:[[@LINE+1]]:25: note: refuse other calls before the launch: tg::check(o.dim(0) == x.dim(0), "...")
        o[tg::ds(0, n)] = x[tg::ds(0, n)];
      },
      tg::in<64>(x, map), tg::inout<64>(o, map));
}
